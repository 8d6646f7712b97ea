import { en as s } from '../../shared/sentences/en.ts'
import { en as w } from './en.ts'
import type { Spoken } from './index.ts'

export const spoken: Spoken = { language: 'en', w, s }
