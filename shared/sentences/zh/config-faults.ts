import type { FaultCode } from '../../config/config-faults.ts'
import type { ConfigProblem, ConfigTrouble, Meanwhile } from '../../config/config-text.ts'
import type { PolicyTrouble } from '../../policy/policy.ts'
import { wordOf, type ProblemFacts } from '../../problems.ts'
import { zh } from './spaced.ts'

/** One sentence, or two: the problem, and how to write it instead. Null: another version of the engine named it. */
export function configFault({ code, facts }: { code: string; facts: ProblemFacts }): string | null {
  return isFault(code) ? sentences[code]((name) => wordOf(facts, name), facts) : null
}

type Say = (fact: (name: string) => string, facts: ProblemFacts) => string

const sentences: Readonly<Record<FaultCode, Say>> = {
  'too-large': (fact) => zh`文件超过 ${fact('mebibytes')} MiB。`,
  'too-deep': () => '这里的括号嵌套得太深。',
  empty: () => '文件是空的。删掉它就使用默认配置，或者写上 {}。',
  syntax: (fact) => syntax[fact('kind')] ?? zh`这里不是有效的 JSON（${fact('kind')}）。`,
  'bad-name': () => '这个名称不能用。',
  twice: (fact) => `“${fact('name')}”写了两次，只能留一个。`,
  'env-unset': (fact) => zh`没有设置环境变量 ${fact('name')}。`,
  'env-unnamed': () => '${ 和 } 之间不是环境变量的名称。要写这两个字符本身，就写 $${。',
  unchecked: (fact) => zh`文件没法检查：${fact('why')}。`,
  'link-to-nothing': (fact) => zh`配置文件 ${fact('file')} 是一个链接，指向的文件不存在。`,
  unreadable: (fact) => zh`配置文件 ${fact('file')} 读不了（${fact('why')}）。`,
  'not-utf8': () => '配置文件不是 UTF-8 编码。先存成 UTF-8。',

  'unknown-setting': (fact) => `这里没有“${fact('name')}”这项设置。`,
  missing: () => '缺少这项设置。',
  'wrong-type': (fact) => zh`这里应该是${types[fact('expected')] ?? fact('expected')}。`,
  'one-of': (_fact, { values }) => `只能是${listOf(values ?? [])}中的一个。`,
  'no-form': (fact, facts) => {
    const inner = fact('inner')
    return `这里允许的几种写法都不符合。${inner === '' ? '' : `按第一种写法：${configFault({ code: inner, facts }) ?? ''}`}`
  },
  'too-small': (fact, { above, least }) => {
    const of = fact('of')
    if (of === 'number') return above === true ? zh`要大于 ${fact('least')}。` : zh`最小是 ${fact('least')}。`
    if (least === 1) return of === 'list' ? '列表不能是空的。' : '文字不能是空的。'
    return of === 'list' ? zh`至少要有 ${fact('least')} 项。` : zh`至少要有 ${fact('least')} 个字符。`
  },
  'too-big': (fact, { below }) => {
    const of = fact('of')
    if (of === 'number') return below === true ? zh`要小于 ${fact('most')}。` : zh`最大是 ${fact('most')}。`
    return of === 'list' ? zh`最多 ${fact('most')} 项。` : zh`最多 ${fact('most')} 个字符。`
  },
  address: () => '这里要写完整的网址，以 http:// 或 https:// 开头。',
  'provider-id': () => '提供方的名称只能有字母、数字、- 和 _。',
  'time-of-day': () => '这里要写时刻，例如 22:00。',
  'bad-form': (fact) => zh`这里的写法要符合 ${fact('pattern')}。`,
  other: (fact) => zh`这里不对：${fact('said')}。`,

  'key-twice': (fact) => `有两个密钥都叫“${fact('alias')}”。给其中一个换个名称。`,
  'provider-key-twice': (fact) => zh`${fact('provider')} 有两个密钥都叫“${fact('alias')}”。给其中一个换个名称。`,
  'open-host': (fact) => zh`监听 ${fact('host')} 会让别的机器连进来：设好 server.keys，或改用 127.0.0.1。`,
  'no-base-url': (fact) => zh`提供方 ${fact('provider')} 缺少 baseUrl。`,
  'via-and-own': (fact) =>
    zh`${fact('provider')} 经 ${fact('engine')} 到达，密钥和地址都在那边：删掉这里的 ${fact('member')}，到那边设置。`,
  'two-origins': (fact) =>
    zh`${fact('first')}（${fact('firstOrigin')}）和 ${fact('second')}（${fact(
      'secondOrigin',
    )}）都用客户端自己的 ${fact('vendor')} 登录。它只能送到一个地址：给其中一个单独的密钥。`,
  'no-target': (fact) => `“${fact('target')}”不是路由目标。写成 provider.model，例如 glm.glm-5。`,
  'route-provider': (fact) =>
    zh`路由 ${fact('route')} 用到提供方“${fact('provider')}”，而配置里没有它。添加它，或从路由里去掉。`,
  'outside-twice': (fact) => `有两个通知去处都叫“${fact('name')}”。给其中一个换个名称。`,
  'outside-address': (fact) => `“${fact('name')}”缺少地址：写上 url，或用 secretRef 指向存好的地址。`,
  'outside-tokens': (fact) => `“${fact('name')}”有两个令牌：token 和 tokenRef 只留一个。`,
  'outside-topic': (fact) => `“${fact('name')}”没有主题：写在服务器地址后面。`,
  'quiet-none': (fact) => zh`免打扰从 ${fact('from')} 到 ${fact('to')}，等于没有。换一个结束时间。`,

  'policy-missing': (fact) => zh`ONWARD_POLICY 指定的策略文件 ${fact('file')} 不存在。`,
  'policy-unreadable': (fact) => zh`策略文件 ${fact('file')} 读不了（${fact('why')}）。`,
  'held-provider': (fact) => `${organisation(fact('by'))}不允许提供方“${fact('provider')}”。`,
  'held-model': (fact) => zh`${organisation(fact('by'))}不允许模型 ${fact('target')}。`,
  'held-budget': (fact) => zh`${organisation(fact('by'))}规定 ${fact('setting')} 最多 ${fact('most')}。`,
  'held-tool': (fact) => zh`${organisation(fact('by'))}关掉了工具 ${fact('tool')}。`,
  'held-phone': (fact) => `${organisation(fact('by'))}不允许手机访问。`,
  'held-telemetry': (fact) => `${organisation(fact('by'))}不允许遥测。`,
  'held-fleet': (fact) => zh`${organisation(fact('by'))}不允许加入机群 ${fact('fleet')}。`,
}

export const organisation = (name: string): string => (name === '' ? '你的组织' : `你的组织（${name}）`)

const isFault = (code: string): code is FaultCode => Object.hasOwn(sentences, code)

const listOf = (values: ProblemFacts[string]): string =>
  Array.isArray(values) ? values.map((value) => `“${String(value)}”`).join('、') : ''

const types: Readonly<Record<string, string>> = {
  object: '用 { } 括起来的对象',
  record: '用 { } 括起来的对象',
  array: '用 [ ] 括起来的列表',
  string: '双引号里的文字',
  number: '数字',
  int: '整数',
  boolean: ' true 或 false',
}

const syntax: Readonly<Record<string, string>> = {
  InvalidSymbol: '这不是 JSON 的值。文字要放在双引号里。',
  InvalidNumberFormat: '这不是数字。',
  PropertyNameExpected: '这里缺少双引号里的名称。',
  ValueExpected: '这里缺少值。',
  ColonExpected: '这里缺少冒号。',
  CommaExpected: '这里缺少逗号。',
  CloseBraceExpected: '这里缺少结尾的 }。',
  CloseBracketExpected: '这里缺少结尾的 ]。',
  EndOfFileExpected: '文件应该到这里结束。',
  UnexpectedEndOfComment: '注释没有结束。',
  UnexpectedEndOfString: '文字没有结束：缺少结尾的双引号。',
  UnexpectedEndOfNumber: '数字没有写完。',
  InvalidUnicode: '\\u 后面要有四个十六进制数字。',
  InvalidEscapeCharacter: '不认识这个转义。反斜杠本身写成 \\\\。',
  InvalidCharacter: '文字里不能有控制字符；换行写成 \\n。',
}

const meanwhileWords: Readonly<Record<Meanwhile, string>> = {
  before: '之前的配置继续生效，没有任何东西停下。',
  copy: '暂时使用上一份正确的配置。',
  nothing: '修好之前，所有请求都会被拒绝。',
}
export const meanwhile = (kind: Meanwhile): string => meanwhileWords[kind]

/** Returns the engine's English sentence for a problem that is not known here: its version may be another one. */
export const configProblem = (problem: ConfigProblem): string => configFault(problem) ?? problem.message
export const configUnread = ({ what, fault }: Pick<ConfigTrouble, 'what' | 'fault'>): string | null =>
  (fault && configFault(fault)) ?? what

export const placeInConfig = ({ line, column, path }: Pick<ConfigProblem, 'line' | 'column' | 'path'>): string =>
  zh`第 ${line} 行第 ${column} 列${path === '' ? '' : `（${path}）`}`

/** The problem, its place, and the config that runs meanwhile. */
export function configTrouble(trouble: ConfigTrouble): string {
  const [first] = trouble.problems
  const more = trouble.total > 1 ? zh`另有 ${trouble.total - 1} 处。` : ''
  const what =
    configUnread(trouble) ?? (first ? `${placeInConfig(first)}：${configProblem(first)}${more}` : '内容有错。')
  return `${what}${meanwhile(trouble.meanwhile)}`
}

const heldMeanwhile: Readonly<Record<PolicyTrouble['meanwhile'], string>> = {
  before: '之前读到的规定继续生效。',
  nothing: '修好之前，所有请求都会被拒绝。',
}
export const policyTrouble = ({ source, problem, meanwhile: kind }: PolicyTrouble): string =>
  `${problem.line === 0 ? '' : zh`${source}，${placeInConfig(problem)}：`}${configProblem(problem)}${heldMeanwhile[kind]}`
