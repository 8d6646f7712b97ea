/** Sets variables in a `.env` file: in their lines where they have one, else behind the last. */
export function setVariables(text: string, values: Readonly<Record<string, string>>): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  return Object.entries(values).reduce((now, [name, value]) => {
    const written = `${name}=${value}`
    const line = new RegExp(`^([ \\t]*(?:export[ \\t]+)?)${name}[ \\t]*=[^\\r\\n]*`, 'm')
    if (line.test(now)) return now.replace(line, (_, lead: string) => `${lead}${written}`)
    return `${now}${now === '' || now.endsWith('\n') ? '' : end}${written}${end}`
  }, text)
}
