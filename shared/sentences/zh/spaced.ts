const han = /\p{Script=Han}/u
const latin = /[A-Za-z0-9$<%`]/

/**
 * Template tag for Chinese: puts the space that belongs between Han and Latin or digits wherever a value meets the
 * text around it, so that no sentence has to think of it. Inside a value nothing is touched.
 */
export function zh(strings: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  let out = strings[0] ?? ''
  for (const [i, value] of values.entries()) {
    for (const piece of [String(value), strings[i + 1] ?? '']) out = join(out, piece)
  }
  return out
}

export function join(left: string, right: string): string {
  const a = [...left].at(-1) ?? ''
  const b = [...right][0] ?? ''
  return (han.test(a) && latin.test(b)) || (latin.test(a) && han.test(b)) ? `${left} ${right}` : left + right
}
