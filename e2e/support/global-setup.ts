import { buildIfStale } from '../../scripts/build-if-stale.mjs'
import { setUp } from '../../scripts/test-setup.mjs'
import { installAgents } from './agents.ts'

/** Once before any test of real parts: a browser, tmux, the build of what stands in the sources, the real agents. */
export default function prepare(): void {
  const { chromium } = setUp()
  if (chromium) process.env.CHROMIUM_BIN = chromium
  buildIfStale()
  installAgents()
}
