/** A path of a goal: which folder of goals it names, and its parts there, without separators, `.` and `..`. */
export interface GoalPlace {
  of: 'home' | 'session'
  parts: readonly string[]
}

/** The folders goals are read from: below the Onward home, and below the folder the session's agent works in. */
const places: readonly { of: GoalPlace['of']; folder: readonly string[] }[] = [
  { of: 'home', folder: ['goals'] },
  { of: 'session', folder: ['.onward', 'goals'] },
]

/** Looks at the path alone; links are checked when the file is read. */
export function goalPlace(path: string): GoalPlace | null {
  const parts = path.split(/[\\/]/).filter((part) => part !== '' && part !== '.')
  const place = places.find(
    ({ folder }) => parts.length > folder.length && folder.every((part, i) => parts[i] === part),
  )
  return place ? { of: place.of, parts } : null
}

/** Why a path can't name a goal, or null. */
export function refuseGoalPath(path: string): string | null {
  if (path === '') return 'The file name is missing.'
  if (/[\p{Cc}"“”<>*]/u.test(path)) return 'The file name has quotes, < > * or control characters in it.'
  if (/^[\\/~]/.test(path) || /^[A-Za-z]:/.test(path)) return `The file must be named relative. ${where}`
  if (path.split(/[\\/]/).includes('..')) return 'The file name must not lead out of its folder with “..”.'
  return goalPlace(path) === null ? where : null
}

const where =
  'A goal is read from goals/ in the Onward home (goals/name.md) or from ' +
  '.onward/goals/ in the session’s folder (.onward/goals/name.md).'
