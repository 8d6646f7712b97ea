export { defaultStopMessageText } from './default-text.ts'
export { isPureCommand, replaceEmptied, stripUserText } from './emptied.ts'
export { readGoalFile, type GoalFileResult } from './goal-file.ts'
export { mostMarkers, parseMarkers } from './parse.ts'
export { renderMarker, renderTarget } from './render.ts'
export { resolveStopMessage, type StopMessageDecision, type StopMessageSet } from './resolve-stop-message.ts'
export { scan } from './scan.ts'
export { stripText } from './strip.ts'
export type {
  Command,
  HeldMarker,
  Instruction,
  InvalidCommand,
  KnownTargets,
  MarkerSpan,
  ParsedMarkers,
  ParseOptions,
  RoutingTarget,
  StopMessageText,
} from './types.ts'
