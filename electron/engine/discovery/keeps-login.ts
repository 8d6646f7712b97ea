import type { Config } from '../../../shared/config/schema.ts'

/** Some provider takes what Claude Code signs its own calls with, so its launcher must not put a key in that place. */
export const keepsLogin = ({ providers }: Pick<Config, 'providers'>): boolean =>
  Object.values(providers).some(({ type, auth }) => type === 'anthropic' && auth === 'client')
