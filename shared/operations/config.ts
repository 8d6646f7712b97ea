import type { ConfigSaved, ConfigTextView } from '../config/config-text.ts'
import { switchNames } from '../control/switches.ts'
import { noticeClasses } from '../notice-classes.ts'
import { outsideKinds, type OutsideTest, type OutsideView } from '../notifications.ts'
import type { RoutingView } from '../routing.ts'
import { headerName } from '../config/names.ts'
import { secretPlaces, type SecretsView } from '../secrets/secrets.ts'
import { settingNames, type NewLocalKey, type SettingsView } from '../settings.ts'
import type { EngineStatus } from '../state.ts'
import { call, id, takes, type Zod } from './operation.ts'

/** what the engine reads at most, and a little */
const configText = (z: Zod) => z.string().max(5 * 1024 * 1024)
const address = (z: Zod) => z.string().max(2_000)
const timeOfDay = (z: Zod) => z.string().max(5).optional()
const flag = (z: Zod) => z.boolean().optional()

/** The config file: its text, its settings, keys, tools and notices sent outside of this machine. */
export const configOperations = {
  /**
   * takes back the last change made through this API. @throws OnwardError `config-changed` when the file was edited
   * since
   */
  undoConfig: call.mutation<RoutingView>({
    commands: [
      {
        usage: 'config undo',
        summary: 'take back the last change made from here',
        description:
          'Takes back the last change that the dashboard or the command line made to the config, ' +
          'as long as nobody has changed the file since and the engine that made it runs.',
        examples: [['onward providers remove glm && onward config undo', 'as before']],
        input: () => undefined,
        say: ({ canUndo }, { shape }) =>
          `${shape('done', '✓')} The last change is taken back.${canUndo ? ' The one before it can be, too.' : ''}\n`,
      },
    ],
  }),
  /** the config file as it is now. It may hold keys: never logged, and for the person only. */
  configText: call.query<ConfigTextView>(),
  /** what is wrong in a text; nothing is written */
  checkConfigText: takes(configText).query<ConfigTextView['problems']>(),
  /** writes the whole text where it is right and the file is still the one the edit began with (`revision`) */
  saveConfigText: takes((z) =>
    z.object({ text: configText(z), revision: z.string().max(100) }),
  ).mutation<ConfigSaved>(),
  /**
   * puts the last text that was right in the place of the wrong one, which is kept beside it. @throws OnwardError
   * `nothing-to-put-back` | `config-changed` | `store-failed`; then the file is as it was
   */
  putBackConfig: call.mutation<{ kept: string }>({
    commands: [
      {
        usage: 'config put-back',
        summary: 'the last one that was right, when the file is wrong',
        description:
          'Puts the last config that was right in the place of one that ' +
          'is wrong, and keeps the wrong one as a file beside it.',
        examples: [['onward config check || onward config put-back', 'when an edit went wrong']],
        input: () => undefined,
        say: ({ kept }, { shape }) =>
          `${shape('done', '✓')} The last config that was right is back. The other one is kept: ${kept}\n`,
      },
    ],
  }),
  /** writes one member of the config, comments kept. @throws as addProvider */
  setSwitch: takes((z) => z.object({ name: z.enum(switchNames), on: z.boolean() })).mutation<void>(),
  /** single settings with their bounds, and who may call; no value of any key */
  settings: call.query<SettingsView>(),
  /** writes one member of the config, comments kept; null takes it out. @throws as addProvider */
  setSetting: takes((z) =>
    z.object({
      name: z.enum(settingNames),
      value: z.union([z.number(), z.boolean(), address(z), z.array(address(z)).max(200)]).nullable(),
    }),
  ).mutation<SettingsView>(),
  /** makes one that callers may send; the config keeps its hash only. @throws as addProvider, and `key-exists` */
  addLocalKey: takes((z) => z.string().trim().min(1).max(64)).mutation<NewLocalKey>(),
  /** @throws as addProvider, and `key-unknown` */
  removeLocalKey: takes(id).mutation<SettingsView>(),
  /** makes one for a program that asks over MCP, and opens `/mcp` with it. @throws as addLocalKey */
  addMcpKey: takes((z) => z.string().trim().min(1).max(64)).mutation<NewLocalKey & { url: string }>({
    commands: [
      {
        usage: 'mcp key <name>',
        takes: ['whom it is for'],
        summary: 'make a key for MCP over HTTP, and open it',
        description:
          'Makes a key with which a program asks over streamable HTTP at /mcp. It is shown once; the config keeps ' +
          'its hash. Without a key /mcp is closed.',
        examples: [['onward mcp key "my editor"', 'address and key']],
        input: (name = '') => name,
        say: ({ url, key }, { strong }) =>
          `Address  ${url}\nHeader   Authorization: Bearer ${strong(key)}\nThe key is not shown again.\n`,
      },
    ],
  }),
  /** @throws as addProvider, and `key-unknown` */
  removeMcpKey: takes((z) => z.string().trim().min(1).max(64)).mutation<void>({
    commands: [
      {
        usage: 'mcp forget <name>',
        takes: ['whom it was for'],
        summary: 'take a key for MCP away',
        description: 'The key counts no more from its next request. After the last one /mcp is closed.',
        examples: [['onward mcp forget "my editor"', 'it is refused from now on']],
        input: (name = '') => name,
        json: (_, name) => ({ forgot: name }),
        say: (_, { clean }, name) => `The key of ${clean(name)} counts no more.\n`,
      },
    ],
  }),
  /** where keys are kept, as far as it is known without asking the keychain */
  secretsKept: call.query<SecretsView>(),
  /**
   * moves all keys, and keeps new ones there. Each is in its old place until it is whole in the new one.
   * @throws `keychain-unreachable`, `store-failed`; what could not be moved is where it was
   */
  moveSecrets: takes((z) => z.enum(secretPlaces)).mutation<SecretsView>(),
  /**
   * Switches a tool of Onward's, or all of them (null). `on` null: as it is by itself. @throws as addProvider does, and
   * `servertool-unknown`, `servertool-env`
   */
  setServertool: takes((z) => z.object({ tool: id(z).nullable(), on: z.boolean().nullable() })).mutation<
    NonNullable<EngineStatus['servertools']>
  >(),
  /** writes the config in one write; counts from now on. What is left out stays as it is. @throws as addProvider */
  setQuietHours: takes((z) =>
    z.object({ on: flag(z), from: timeOfDay(z), to: timeOfDay(z), needsYou: flag(z), ownAlarms: flag(z) }),
  ).mutation<NonNullable<EngineStatus['quietHours']>>(),
  /**
   * a place outside of this machine that notices are sent to. @throws as addProvider, and `outside-exists`,
   * `bad-address`
   */
  saveOutside: takes((z) =>
    z.object({
      /** the name of the one that is changed; null: a new one */
      was: z.string().max(64).nullable(),
      name: z.string().trim().min(1).max(64),
      kind: z.enum(outsideKinds),
      /** the address, kept apart from the config; null: stays as it is */
      url: address(z).nullable(),
      /** a bearer token, kept likewise; null: stays as it is; empty: none */
      token: address(z).nullable(),
      on: z.boolean(),
      /** null: all */
      classes: z.array(z.enum(noticeClasses)).nullable(),
      texts: z.boolean(),
    }),
  ).mutation<readonly OutsideView[]>(),
  /** stores the value of one of `telemetry.headers` apart from the config. @throws as addProvider, and `bad-key` */
  saveCollectorHeader: takes((z) =>
    z.object({ name: z.string().regex(headerName).max(100), secret: z.string().min(1).max(10_000) }),
  ).mutation<void>(),
  /** @throws as addProvider, and `outside-unknown` */
  removeOutside: takes(id).mutation<readonly OutsideView[]>(),
  /** a real message, sent once. @throws `outside-unknown` */
  testOutside: takes(id).mutation<OutsideTest>(),
}
