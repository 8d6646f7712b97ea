import { z } from 'zod'
import { secretPlaces } from './secret-places.ts'

/** Kept apart from the other types of secrets: sentences need no validator. */
export const secretPlace = z.enum(secretPlaces)
