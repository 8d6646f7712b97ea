/** docs/config-members.md, from the JSON schema that editors read. */
interface Node {
  type?: string
  description?: string
  default?: unknown
  const?: unknown
  enum?: readonly unknown[]
  format?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  required?: readonly string[]
  properties?: Readonly<Record<string, Node>>
  propertyNames?: Node
  additionalProperties?: Node | boolean
  items?: Node
  anyOf?: readonly Node[]
  oneOf?: readonly Node[]
}

export interface Member {
  /** as it is written from the top, e.g. `providers.<name>.models.<name>.vision` */
  path: string
  type: string
  default: string
  about: string
}

/** Returns every member of the schema, in its order; those of a list have `[]` before them. */
export function membersOf(schema: unknown): Member[] {
  return below(schema as Node, '')
}

/** A page with a table for each member at the top that has members of its own, and one for all that have none. */
export function configReference(schema: unknown): string {
  const members = membersOf(schema)
  const top = members.filter(({ path }) => !/[.[]/.test(path))
  const inside = ({ path }: Member) =>
    members.filter((one) => /^[.[]/.test(one.path.slice(path.length)) && one.path.startsWith(path))
  const plain = top.filter((member) => inside(member).length === 0)
  const sections = top
    .filter((member) => inside(member).length > 0)
    .map((member) => `## ${member.path}\n\n${member.about}\n\n${table(inside(member), member.path)}`)
  const head =
    '# Members of the config\n\n' +
    '<!-- Written by `npx vitest run shared/config/reference -u`. Change shared/config, not this page. -->'
  return `${[head, ...sections, `## Others\n\n${table(plain, '')}`].join('\n\n')}\n`
}

function table(members: readonly Member[], above: string): string {
  const rows = alike(members.filter((one, i) => !members.slice(0, i).some(isSameShape(one)))).map((group) => {
    const paths = group.map(({ path }) => `\`${path.slice(above.length).replace(/^\./, '')}\``)
    const [{ type, default: value, about }] = group
    return [paths.join(', '), type, value === '' ? '' : `\`${value}\``, about]
  })
  const lines = [['member', 'type', 'default', ''], ['---', '---', '---', '---'], ...rows]
  return lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n')
}

/** Finds the same member of an object of the same name, e.g. of `timeouts`, which providers and models have. */
const isSameShape = (one: Member) => {
  const [name] = /\.\w+\.\w+$/.exec(one.path) ?? []
  return (other: Member): boolean =>
    name !== undefined && other.path.endsWith(name) && other.type === one.type && other.about === one.about
}

type Alike = [Member, ...Member[]]

/** Neighbours that differ in their names only have one row. */
function alike(members: readonly Member[]): Alike[] {
  const groups: Alike[] = []
  for (const member of members) {
    const group = groups.at(-1)
    const isSame = (['type', 'default', 'about'] as const).every((name) => group?.[0][name] === member[name])
    if (group && isSame) group.push(member)
    else groups.push([member])
  }
  return groups
}

const formsOf = (node: Node): readonly Node[] => (node.anyOf ?? node.oneOf)?.flatMap(formsOf) ?? [node]

function below(node: Node, path: string): Member[] {
  const found = formsOf(node).flatMap((form) => [
    ...Object.entries(form.properties ?? {}).flatMap(([name, member]) =>
      memberAt(member, path === '' ? name : `${path}.${name}`),
    ),
    ...(typeof form.additionalProperties === 'object' && Object.keys(form.additionalProperties).length > 0
      ? below(form.additionalProperties, `${path}.<${form.propertyNames?.enum ? 'route' : 'name'}>`)
      : []),
    ...(form.items ? below(form.items, `${path}[]`) : []),
  ])
  return joined(found)
}

const memberAt = (node: Node, path: string): Member[] => [
  { path, type: typeOf(node), default: defaultOf(node), about: node.description ?? '' },
  ...below(node, path),
]

/** Lists a member that several forms of an object have once, with all its possible values. */
function joined(members: readonly Member[]): Member[] {
  const all = new Map<string, Member>()
  for (const member of members) {
    const before = all.get(member.path)
    const types = new Set([...(before?.type.split(', ') ?? []), ...member.type.split(', ')])
    all.set(member.path, { ...member, ...before, type: [...types].join(', '), about: before?.about || member.about })
  }
  return [...all.values()]
}

function defaultOf({ default: value }: Node): string {
  const empty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
  return value === undefined || empty ? '' : JSON.stringify(value)
}

function typeOf(node: Node): string {
  const forms = node.anyOf ?? node.oneOf
  if (forms) return [...new Set(forms.flatMap((form) => typeOf(form).split(', ')))].join(', ')
  if (node.const !== undefined) return `\`${String(node.const)}\``
  if (node.enum) return node.enum.map((one) => `\`${String(one)}\``).join(', ')
  if (node.items) return `list of ${typeOf(node.items)}${sizeOf(node)}`
  if (node.type === 'boolean') return 'boolean'
  if (node.type === 'integer') return `integer${rangeOf(node)}`
  if (node.type === 'number') return `number${rangeOf(node)}`
  if (node.type === 'string') return node.format === 'uri' ? 'URL' : 'text'
  if (node.type === 'object' && typeof node.additionalProperties === 'object' && !node.properties)
    return `object of ${typeOf(node.additionalProperties)}`
  return node.type ?? 'any'
}

const sizeOf = ({ minItems = 0, maxItems }: Node): string =>
  `${minItems > 0 ? `, at least ${minItems}` : ''}${maxItems === undefined ? '' : `, at most ${maxItems}`}`

function rangeOf({ type, minimum, maximum, exclusiveMinimum }: Node): string {
  // A maximum that no number exceeds is no bound.
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
  const least =
    type === 'integer' && exclusiveMinimum === 0 ? 1 : minimum === -Number.MAX_SAFE_INTEGER ? undefined : minimum
  if (least !== undefined) return most === undefined ? ` ≥ ${least}` : ` ${least}–${most}`
  const above = exclusiveMinimum === undefined ? '' : ` > ${exclusiveMinimum}`
  return most === undefined ? above : `${above}${above && ','} ≤ ${most}`
}
