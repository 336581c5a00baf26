// Adds a copy button to each block of code in the documents.

import { copyButton } from "./elements.js";

for (const block of document.querySelectorAll("pre > code")) {
  const button = copyButton("Copy", block.textContent, "Copy this block");
  button.classList.add("copy");
  block.parentElement.append(button);
}
