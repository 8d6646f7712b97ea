/** Sentences that name a command, as this program is called where they are read. */

/** @param text may name commands as `onward …`; a path that ends so is none of them */
export const asCalled = (text: string, command: string): string =>
  command === 'onward' ? text : text.replace(/(?<![\w/.\\-])onward(?= [a-z<-])/g, () => command)

/** The same for an error's sentence, which may hold words of others: only between its own marks. */
export const quotedAsCalled = (text: string, command: string): string =>
  text.replace(/([`"])onward( [^`"]*)?\1/g, (whole, mark: string, rest: string | undefined) =>
    command === 'onward' ? whole : `${mark}${command}${rest ?? ''}${mark}`,
  )
