export { defaultStopMessageText } from './goals/default-text.ts'
export { isPureCommand, replaceEmptied, stripUserText } from './emptied.ts'
export { readGoalFile, type GoalFileResult } from './goals/goal-file.ts'
export { mostMarkers, parseMarkers } from './parse/parse.ts'
export { resolveStopMessage, type StopMessageDecision, type StopMessageSet } from './goals/resolve-stop-message.ts'
export { scan } from './parse/scan.ts'
export { stripText } from './strip.ts'
export { writeGoal } from './write-goal.ts'
export type {
  Command,
  HeldMarker,
  InCode,
  Instruction,
  RoutingInstruction,
  InvalidCommand,
  KnownTargets,
  MarkerSpan,
  ParsedMarkers,
  ParseOptions,
  RoutingTarget,
  StopMessageText,
} from './types.ts'
