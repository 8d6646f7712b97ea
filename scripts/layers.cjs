/** The folders of the engine, from the lowest level up: each imports from its own level and from below. */
module.exports = [
  ['base'],
  ['store', 'config'],
  ['records', 'report', 'secrets'],
  ['sessions', 'clock', 'terminals', 'workspace'],
  ['protocol', 'markers', 'providers', 'servertools', 'router', 'web', 'notifications', 'telemetry'],
  ['pipeline', 'discovery'],
  ['gateway', 'control', 'fleet'],
]
