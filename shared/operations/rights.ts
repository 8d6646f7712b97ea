/**
 * What a paired device may ask for, by the right it takes. What is not named here no device may: all that changes the
 * config, keys, checks and terminals, that lets others in, or shows files, logs and the config's text.
 */
import type { DeviceRight } from '../devices.ts'
import type { OperationName } from './index.ts'

const named: Readonly<Record<DeviceRight, readonly OperationName[]>> = {
  look: [
    'activity',
    'alarms',
    'alarmsOf',
    'checks',
    'costs',
    'findSaid',
    'follow',
    'followSubject',
    'machines',
    'ownPush',
    'providers',
    'readTime',
    'report',
    'rounds',
    'routing',
    'session',
    'sessions',
    'setOwnPush',
    'status',
    'terminals',
    'timeline',
    'turn',
    'turns',
    'watchTerminal',
  ],
  answer: ['answerDialog'],
  say: ['say', 'editEntry', 'cancelEntry', 'sendEntryNow', 'moveEntry'],
  arm: [
    'addAlarm',
    'editAlarm',
    'snoozeAlarm',
    'cancelAlarm',
    'skipAlarm',
    'restoreAlarm',
    'settleMissed',
    'dismissAllMissed',
    'pause',
    'resume',
    'setStopMessage',
    'clearStopMessage',
    'rearmStopMessage',
    'startStopMessage',
    'carryOnStopMessage',
    'editStopMessage',
    'addRounds',
    'setResumeAtReset',
    'cancelResume',
    'setRecover',
    'stopDrive',
    'letDrives',
    'boundDrive',
    'setOutage',
  ],
}

/**
 * What a program that speaks for itself (`onward mcp`) may ask for. Goals and dialogs are not among it: for those a
 * person has to say yes, and then their own call is made.
 */
const ofPrograms: ReadonlySet<OperationName> = new Set([
  'addAlarm',
  'alarms',
  'alarmsOf',
  'askForGoal',
  'cancelAlarm',
  'editAlarm',
  'readTime',
  'report',
  'say',
  'session',
  'sessions',
  'status',
  'timeline',
] as const)
export const programMay = (operation: string): boolean => (ofPrograms as ReadonlySet<string>).has(operation)

const rightFor: ReadonlyMap<string, DeviceRight> = new Map(
  Object.entries(named).flatMap(([right, names]) => names.map((name) => [name, right as DeviceRight] as const)),
)

/** null: no device may, whatever its rights */
export const rightOf = (operation: string): DeviceRight | null => rightFor.get(operation) ?? null
