import { everyView } from './support/screenshots.ts'

/** The other two pairings of `screenshots.spec.ts`. */
everyView([
  [1440, 'dark'],
  [900, 'light'],
])
