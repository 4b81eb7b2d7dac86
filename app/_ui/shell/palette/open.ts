/** Opens the command palette, from anywhere in the browser. */
export function openPalette(): void {
  window.dispatchEvent(new Event('atelier:palette'));
}

/** Opens the list of keyboard shortcuts. */
export function openHelp(): void {
  window.dispatchEvent(new Event('atelier:help'));
}
