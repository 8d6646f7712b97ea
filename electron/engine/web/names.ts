const endings = ['localhost', 'local', 'localdomain', 'internal', 'intranet', 'lan', 'home.arpa']

/**
 * Names that mean this machine or this network wherever they are asked for (RFC 6761, RFC 6762, RFC 8375, clouds'
 * `.internal`).
 */
export const isLocalName = (name: string): boolean =>
  endings.some((ending) => name === ending || name.endsWith(`.${ending}`))
