// Keeps what was typed over a reload: in this tab only, and gone when the tab is closed.

const KEY = "fairwitness.draft.";

/** Keep a form's texts as they change, and put back what was there; `names` are its text fields. */
export function keepDraft(form, names, update) {
  const key = KEY + form.dataset.form;
  const texts = () => Object.fromEntries(names.map((name) => [name, form.elements[name].value]));
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? "null");
    for (const name of names) if (typeof kept?.[name] === "string") form.elements[name].value = kept[name];
    update();
  } catch { /* storage is off: nothing is kept */ }
  const save = () => {
    try {
      sessionStorage.setItem(key, JSON.stringify(texts()));
    } catch { /* full or off: nothing is kept */ }
  };
  form.addEventListener("input", save);
  form.addEventListener("reset", () => setTimeout(() => { save(); update(); }));
  return save;
}
