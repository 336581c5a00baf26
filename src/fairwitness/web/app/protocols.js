// The thresholds and weights of this service's protocols, as the service publishes them: nothing is repeated here.

import { get } from "./api.js";

let loading;

/** Load the published protocols, once; null where they cannot be reached. */
export function protocols() {
  loading ??= get("/docs/protocols.json").then((found) => {
    if (!found) loading = undefined;
    return found?.protocols ?? null;
  });
  return loading;
}

/** Return the thresholds an answer was judged by, or null where this service no longer publishes them. */
export async function rulesOf({ protocol, protocolVersion }) {
  const published = (await protocols()) ?? [];
  const found = protocol ? published.find(({ name }) => name === protocol) : published[0];
  return found?.version === protocolVersion ? found.thresholds : null;
}
