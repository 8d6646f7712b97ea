import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterEach } from 'vitest'
import { systemClock } from '../../../base/clock.ts'
import { bridge } from '../../testing/bridge.ts'
import { simulatorTransport } from '../simulator.ts'

/** Gives the tests of a file a simulator and official SDKs that call it; all are closed after each test. */
export function simulatorClients() {
  const closing: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })
  /** path -> scenario */
  const files: Record<string, string> = {}
  const simulator = (clock = systemClock()) =>
    simulatorTransport({ clock, readScenario: async (path) => files[path] ?? null })
  return {
    files,
    simulator,
    async clients(place = 'demo') {
      const served = await bridge(simulator(), `simulator://${place}`)
      closing.push(() => served.close())
      return {
        served,
        openai: new OpenAI({ apiKey: 'none', baseURL: `${served.url}/v1`, maxRetries: 0 }),
        anthropic: new Anthropic({ apiKey: 'none', baseURL: served.url, maxRetries: 0 }),
        google: new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: served.url } }),
      }
    },
  }
}

export const user = (content: string) => [{ role: 'user' as const, content }]
