import { axeFindsNothing } from './support/axe-views.ts'

axeFindsNothing('light', 'sample')
