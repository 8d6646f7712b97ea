import { afterEach } from 'vitest'
import type { ControlApi } from '../../../shared/operations/index.ts'
import { sampleStatus } from '../../engine/control/testing/fake-control-api.ts'
import { onward, testHome } from './test-cli.ts'

/**
 * Homes for the tests of a file, each with an engine that answers with an api; removed after each test. `usual`: what
 * every engine of the file answers.
 */
export function cliHomes(usual: Partial<ControlApi> = {}) {
  const homes: Awaited<ReturnType<typeof testHome>>[] = []
  afterEach(async () => {
    for (const home of homes.splice(0)) await home.remove()
  })
  const home = async (api: Partial<ControlApi> | null = null) => {
    const made = await testHome(api)
    homes.push(made)
    return made
  }
  return {
    /** null: no engine runs there */
    home,
    /** Runs against an engine that answers with `api`. */
    async against(api: Partial<ControlApi>, words: readonly string[], more: Parameters<typeof onward>[1] = {}) {
      const { path } = await home({ status: async () => sampleStatus(), ...usual, ...api })
      return onward([...words.slice(0, 1), '--home', path, ...words.slice(1)], more)
    },
  }
}
