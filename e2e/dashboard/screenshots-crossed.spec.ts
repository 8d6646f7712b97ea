import { everyView } from './support/screenshots.ts'

/** The other pairings of `screenshots.spec.ts`. */
everyView([
  [900, 'dark'],
  [1440, 'dark'],
  [900, 'light'],
])
