/** The one form of a provider that is open. It outlives a look at another view: typed text is not lost. Pure. */
import type { ProviderDetails } from '../../../shared/control/provider-edit.ts'
import { changeOf, draftOf, type Draft } from './draft.ts'

export interface OpenForm {
  id: string
  /** whose provider it is; null: this one's */
  machine: string | null
  /** it was added just now: the form ends in a route */
  added: boolean
  /** an added one was tested by itself */
  tested: boolean
  /** null: the engine was not heard yet */
  loaded: Loaded | null
}
export interface Loaded {
  /** what the draft was made on */
  base: ProviderDetails
  latest: ProviderDetails
  draft: Draft
}

export const openForm = (id: string, machine: string | null, added = false): OpenForm => ({
  id,
  machine,
  added,
  tested: false,
  loaded: null,
})

export const isChanged = ({ base, draft }: Loaded): boolean => changeOf(draft, base) !== null

/** Takes over the config's current state, without losing any of the person's edits. */
export function heard(form: OpenForm, latest: ProviderDetails): OpenForm {
  const { loaded } = form
  return loaded && isChanged(loaded) ? { ...form, loaded: { ...loaded, latest } } : { ...form, loaded: startOn(latest) }
}

export const startOn = (details: ProviderDetails): Loaded => ({
  base: details,
  latest: details,
  draft: draftOf(details),
})

/** The config says something else than what the draft was made on. */
export const overtaken = ({ base, latest }: Loaded): boolean => base.revision !== latest.revision
