import { z } from 'zod'
import { secretPlaces } from './secret-places.ts'

/** Apart from what is said of secrets: sentences need no validator. */
export const secretPlace = z.enum(secretPlaces)
