import { needsYouJourney } from './support/needs-you-journey.ts'
import { realAgents } from './support/real/index.ts'

needsYouJourney(realAgents.codex, /^Asks to run “.*made-by-tool.*”$/, ['Yes, proceed (y)'])
