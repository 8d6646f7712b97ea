/**
 * The config file of the fake engine: a text in memory, wrong wherever it says “nonsense”. For development and tests.
 */
import { sceneQuietHours } from './fake-outside.ts'
import { faultOf } from '../../../shared/config/config-faults.ts'
import type { ControlApi } from '../../../shared/operations/index.ts'
import type { ConfigProblem, ConfigTextView } from '../../../shared/config/config-text.ts'
import type { EngineStatus } from '../../../shared/state.ts'
import type { Scene } from './scene.ts'

interface Parts {
  scene: Scene
  putStatus(change: Partial<EngineStatus>): void
  refuse(code: string, message: string): never
}

export const sceneConfig = `{
  "$schema": "./config.schema.json",
  "providers": {
    "zai": {
      "type": "openai-chat",
      "baseUrl": "https://api.z.ai/api/paas/v4",
      "keys": [{ "alias": "main", "secretRef": "zai-main" }, { "alias": "spare", "env": "ZAI_KEY_2" }],
      "models": {
        "glm-5": { "contextWindow": 200000, "thinking": true },
        // own price, asked on 12 Nov
        "glm-5v": { "vision": true, "price": { "input": 0.55, "cachedInput": 0.10, "output": 1.80 } }
      }
    },
    "ollama": { "type": "openai-chat", "baseUrl": "http://127.0.0.1:11434/v1", "auth": "none" }
  },
  // order matters: the first one that can answer is asked
  "routes": {
    "default": ["zai.glm-5", "anthropic.claude-sonnet"],
    "review": ["anthropic.claude-sonnet", "zai.glm-5"]
  },
  "stopMessage": { "budgets": { "rounds": 30, "costUsd": 5 } },
  "notifications": { "limit": false }
}
`

/** A text of the scene that is not right, with the status an engine has then. */
export const brokenConfig = sceneConfig.replace('"review": [', '"nonsense": [')

const problemsIn = (text: string): ConfigProblem[] =>
  text.split('\n').flatMap((line, i) => {
    const column = line.indexOf('nonsense')
    return column < 0
      ? []
      : [
          {
            line: i + 1,
            column: column + 1,
            path: 'routes',
            ...faultOf('unknown-setting', { name: 'nonsense' }),
            message: '“nonsense” is not a setting here.',
          },
        ]
  })

export type FakeConfigText = Pick<ReturnType<typeof fakeConfigText>, 'writeConfig'>

export function fakeConfigText({ scene, putStatus, refuse }: Parts) {
  let text = sceneConfig
  let good = sceneConfig
  let serial = 1
  const view = (): ConfigTextView => ({
    path: scene.status.configPath,
    text,
    revision: `rev-${serial}`,
    problems: problemsIn(text),
  })
  const writeConfig = (next: string) => {
    text = next
    serial++
    const problems = problemsIn(text)
    const [first] = problems
    if (!first) good = text
    putStatus({
      configRevision: `rev-${serial}`,
      configProblem: first ? `config.json, line ${first.line}: ${first.message}` : null,
      configTrouble: first
        ? { problems, total: problems.length, what: null, meanwhile: 'before', canPutBack: true }
        : undefined,
    })
  }
  return {
    /** what an editor elsewhere writes */
    writeConfig,
    configText: async () => view(),
    checkConfigText: async (wanted) => problemsIn(wanted),
    async saveConfigText(input) {
      if (input.revision !== `rev-${serial}`) return { kind: 'changed', ...view() }
      const problems = problemsIn(input.text)
      if (problems.length > 0) return { kind: 'refused', problems }
      writeConfig(input.text)
      return { kind: 'saved', ...view() }
    },
    async setSwitch({ name, on }) {
      const { notifications, clock } = scene.status
      if (name === 'clock.timeTag' && clock) putStatus({ clock: { ...clock, timeTag: on } })
      if (name.startsWith('notifications.'))
        putStatus({ notifications: { ...notifications, [name.slice('notifications.'.length)]: on } })
    },
    async setQuietHours(input) {
      const before = scene.status.quietHours ?? sceneQuietHours
      const quietHours = { ...before, ...Object.fromEntries(Object.entries(input).filter(([, v]) => v !== undefined)) }
      if (quietHours.from === quietHours.to)
        return refuse('config-invalid', `Quiet hours from ${quietHours.from} to ${quietHours.to} are none.`)
      putStatus({ quietHours })
      return quietHours
    },
    async putBackConfig() {
      if (text === good) return refuse('nothing-to-put-back', 'There is nothing to put back.')
      writeConfig(good)
      return { kept: scene.status.configPath.replace('.json', '.broken-2026-11-21T13-12-32.json') }
    },
  } satisfies Partial<ControlApi> & { writeConfig(text: string): void }
}
