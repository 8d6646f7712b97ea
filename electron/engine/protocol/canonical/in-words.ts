/** A type or member that nobody knows, as a person would read it: `gateway:datetime`, `skyMap`. */
export const inWords = (name: string, otherwise: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[^a-zA-Z]+/g, ' ')
    .trim()
    .toLowerCase() || otherwise
