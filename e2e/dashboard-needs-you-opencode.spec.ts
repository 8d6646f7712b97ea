import { needsYouJourney } from './support/needs-you-journey.ts'
import { realAgents } from './support/real/index.ts'

// Its choices have no keys, and behind “Allow always” a second dialog asks whether that is meant.
needsYouJourney(realAgents.opencode, /^Asks to run “touch made-by-tool”$/, ['Allow always', 'Confirm'])
