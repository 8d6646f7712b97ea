import { axeFindsNothing } from './support/axe-views.ts'

axeFindsNothing('dark', 'all')
