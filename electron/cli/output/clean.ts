/**
 * Names, texts and reasons come from agents and models. Printed raw they could move the cursor, set the title or
 * answer the terminal, so controls become spaces and direction overrides go.
 */
export const oneLine = (text: string): string =>
  text
    // eslint-disable-next-line no-control-regex -- controls are what is looked for
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()

/** The same, lines kept. */
export const lines = (text: string): string[] => text.split(/\r\n|\r|\n/).map(oneLine)
