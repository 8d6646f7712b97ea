/** A sentence that something follows ends like one. */
export const withStop = (text: string): string =>
  /[.!?…。！？]$/u.test(text) ? text : /\p{Script=Han}/u.test(text) ? `${text}。` : `${text}.`
