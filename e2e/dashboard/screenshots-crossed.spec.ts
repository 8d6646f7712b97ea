import { inFull } from '../../shared/testing/runs.ts'
import { everyView } from './support/screenshots.ts'

/** The other pairings of `screenshots.spec.ts`. */
everyView(
  inFull
    ? [
        [900, 'dark'],
        [1440, 'dark'],
        [900, 'light'],
      ]
    : [[900, 'dark']],
)
