// The program under measurement, and a home in which it passes everything on to the bench's upstream.
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const program = resolve(import.meta.dirname, '../..', process.env.ONWARD_OUT ?? 'out', 'main/onward.js')

/** `more`: further members of the config */
export function writeConfig(home, upstreamPort, more = {}) {
  writeFileSync(
    join(home, 'config.json'),
    JSON.stringify({
      providers: {
        mock: {
          type: 'openai-chat',
          baseUrl: `http://127.0.0.1:${upstreamPort}/v1`,
          keys: [{ alias: 'main', value: 'k' }],
          models: { 'mock-model': {} },
        },
      },
      routes: { default: ['mock.mock-model'], background: ['mock.mock-model'] },
      ...more,
    }),
  )
}
