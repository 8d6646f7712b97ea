import type { ProviderView } from './routing.ts'

/** Calls to it do not get through, again and again: that is everybody's business. */
export const fails = ({ health }: Pick<ProviderView, 'health'>): boolean =>
  health.kind === 'on-trial' ||
  (health.kind === 'failing' && health.count > 1) ||
  (health.kind === 'resting' && (health.rest.why === 'failures' || health.rest.why === 'refused'))
