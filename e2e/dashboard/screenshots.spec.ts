import { everyView } from './support/screenshots.ts'

everyView([[1440, 'light']])
