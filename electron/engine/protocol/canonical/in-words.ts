/** Words an unknown type or member, `gateway:datetime` or `skyMap`, as a person would read it. */
export const inWords = (name: string, otherwise: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[^a-zA-Z]+/g, ' ')
    .trim()
    .toLowerCase() || otherwise
