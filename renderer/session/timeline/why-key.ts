/** The event whose “Why” the W key means: the one under the keyboard, else the topmost on the screen that has one. */
export function whyUnderKeyboard(activeRow: string | null, doc: Document = document): string | null {
  const buttons = [...doc.querySelectorAll<HTMLElement>('[data-why]')]
  const chosen = buttons.find((button) => button.dataset.why === activeRow) ?? buttons[0]
  return chosen?.dataset.why ?? null
}
