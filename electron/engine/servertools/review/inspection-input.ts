import { z } from 'zod'
import { inspectionTools, type InspectionTool } from '../../../../shared/review.ts'
import { messageOf } from '../../base/errors.ts'
import type { ToolDeclaration } from '../../protocol/server-tools/types.ts'
import type { Found, Workspace } from '../../workspace/types.ts'

/** The means of an inspection. */
export interface InspectionContext {
  workspace: Workspace
  signal: AbortSignal
  runCheck(name: string): Promise<Found>
}
export type PlannedInspection = (place: InspectionContext) => {
  /** what for, as it was asked */ asked: string
  run(): Promise<Found>
}
export type ReadInspection = { ok: true; plan: PlannedInspection } | { ok: false; why: string }

interface InspectionKind {
  about: string
  shape: z.ZodType
  read(value: unknown): ReadInspection
}

/** Every inspection tool: a new one is an entry here and in shared/review.ts. */
const kinds: Record<InspectionTool, InspectionKind> = {
  list_files: kind(
    'Names of files and folders under a path, without what git ignores.',
    z.object({ path: optionalPath('default: the whole folder') }),
    (input) =>
      ({ workspace, signal }) => ({ asked: input.path ?? '.', run: () => workspace.listFiles(input, signal) }),
  ),
  read_file: kind(
    'Lines of a file with their numbers.',
    z.object({ path: path(), from: count('the first line, default 1'), lines: count('how many') }),
    (input) =>
      ({ workspace, signal }) => ({ asked: input.path, run: () => workspace.readFile(input, signal) }),
  ),
  search_text: kind(
    'Every line of the folder’s files that has a plain text in it.',
    z.object({
      text: z.string().min(1).max(500).describe('a plain text, no pattern'),
      path: optionalPath('only in this folder or file'),
    }),
    (input) =>
      ({ workspace, signal }) => ({ asked: input.text, run: () => workspace.searchText(input, signal) }),
  ),
  git_status: kind('What git says is changed and not committed.', z.object({}), () => ({ workspace, signal }) => ({
    asked: '',
    run: () => workspace.gitStatus(signal),
  })),
  git_diff: kind(
    'What is changed against the last commit.',
    z.object({ path: optionalPath('only of this folder or file') }),
    (input) =>
      ({ workspace, signal }) => ({ asked: input.path ?? '', run: () => workspace.gitDiff(input, signal) }),
  ),
  git_log: kind(
    'The last commits.',
    z.object({ path: optionalPath('only of this folder or file'), count: count('how many') }),
    (input) =>
      ({ workspace, signal }) => ({ asked: input.path ?? '', run: () => workspace.gitLog(input, signal) }),
  ),
  run_check: kind(
    'Runs a declared check, and gives its result and the end of its output.',
    z.object({ name: z.string().min(1).describe('as it is declared') }),
    ({ name }) =>
      ({ runCheck }) => ({ asked: name, run: () => runCheck(name) }),
  ),
}

export const isInspectionTool = (name: string): name is InspectionTool => inspectionTools.some((tool) => tool === name)

type InspectionDeclaration = Omit<ToolDeclaration, 'strict'>
let declared: readonly InspectionDeclaration[] | null = null

/** The same in every review, and a millisecond to make. */
export const inspectionDeclarations = (): readonly InspectionDeclaration[] => (declared ??= declarations())

const declarations = (): readonly InspectionDeclaration[] =>
  inspectionTools.map((name) => {
    const { about, shape } = kinds[name]
    const { type, properties, required = [] } = z.toJSONSchema(shape, { io: 'input' })
    return { name, description: about, parameters: { type, properties, required, additionalProperties: false } }
  })

/** @param json arguments as the model wrote them */
export function readInspection(tool: InspectionTool, json: string): ReadInspection {
  try {
    return kinds[tool].read(withoutEmpty(json.trim() === '' ? {} : JSON.parse(json)))
  } catch (error) {
    return { ok: false, why: `The arguments are no JSON object: ${messageOf(error)}` }
  }
}

function kind<T extends z.ZodType>(
  about: string,
  shape: T,
  plan: (input: z.infer<T>) => PlannedInspection,
): InspectionKind {
  return {
    about,
    shape,
    read(value) {
      const read = shape.safeParse(value)
      if (read.success) return { ok: true, plan: plan(read.data) }
      const [issue] = read.error.issues
      const at = issue?.path.join('.') ?? ''
      return {
        ok: false,
        why: `${at === '' ? 'The arguments' : `“${at}”`} can’t be read: ${issue?.message ?? 'not as declared'}.`,
      }
    },
  }
}

function path() {
  return z.string().min(1).max(1_000).describe('relative to the folder')
}
function optionalPath(about: string) {
  return path().describe(about).optional()
}
function count(about: string) {
  return z.number().int().min(1).max(100_000).describe(about).optional()
}

/** Models fill fields they want to leave out with null or nothing. */
const withoutEmpty = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null && one !== ''))
    : value
