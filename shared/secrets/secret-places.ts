/** Where the keys of providers and the addresses of notifications are kept. */
export const secretPlaces = ['keychain', 'file'] as const
export type SecretPlace = (typeof secretPlaces)[number]
