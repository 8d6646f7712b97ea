/** What people say around a time, and what means nothing by itself. */
const courtesy =
  /^(?:(?:please|remind me|wake me|ring|alarm)(?![a-z'])|请|提醒我|提醒|叫我|在|到)[\s,:]*|(?:[\s,]*(?:\bplease|\bsharp|提醒我|提醒|叫我|的时候|时提醒我|吧))$/gu

/** One way of writing: half-width, lower case, single spaces, none beside Chinese. */
export function cleaned(text: string): string {
  let plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\u200b\u2060\ufeff]+/g, ' ')
    .replace(/ ?(\p{Script=Han}) ?/gu, '$1')
    .replace(/[.!?。!,,\s]+$/u, '')
    .trim()
  // “please remind me at …”: one after another, each time the text gets shorter.
  for (;;) {
    const less = plain.replace(courtesy, '').trim()
    if (less === plain) return plain
    plain = less
  }
}
