import { organisation, configTrouble, policyTrouble } from './config-faults.ts'
import { secretsKept, secretsMend } from './secrets.ts'
import type { DoctorFact, DoctorWords, ReviewerTrouble } from '../../doctor.ts'
import { targetText } from '../../target-text.ts'
import { zh } from './spaced.ts'

export function doctor(fact: DoctorFact): DoctorWords {
  switch (fact.code) {
    case 'config-runs':
      return fine(zh`正在使用 ${fact.path}。`)
    case 'config-problem':
      return {
        say: zh`没有采用 ${fact.path}：${fact.trouble ? configTrouble(fact.trouble) : fact.problem}`,
        mend: '改好文件，引擎会自己采用。',
      }
    case 'policy':
      return fine(
        zh`${organisation(fact.organisation)}在 ${fact.source} 里对 Onward 有规定。` +
          (fact.bounded.length === 0 ? '' : zh`受限的设置：${fact.bounded.join('、')}。`),
      )
    case 'policy-trouble':
      return { say: policyTrouble(fact.trouble), mend: '找负责这个文件的人；改好后会自动采用。' }
    case 'provider-simulator':
      return fine(zh`提供方 ${fact.provider} 是内置的模拟器，不是模型。`)
    case 'provider-answers':
      return fine(zh`提供方 ${fact.provider}（${fact.host}）有应答（${fact.status}）。`)
    case 'provider-unreachable':
      return {
        say: zh`连不上提供方 ${fact.provider}（${fact.baseUrl}）：${fact.why}。`,
        mend: zh`检查配置里的 providers.${fact.provider}.baseUrl、网络和代理设置。`,
      }
    case 'key-set':
      return fine(zh`${fact.provider} 的密钥 ${fact.key} 有值。`)
    case 'key-missing':
      return {
        say: zh`${fact.provider} 的密钥 ${fact.key} 没有值：${fact.why}。`,
        mend: zh`在“提供方”里换一个，或者在 providers.${fact.provider}.keys 说的地方设好，再从那里启动引擎。`,
      }
    case 'reviewer':
      return fine(zh`目标由${kinds[fact.kind]} ${fact.by} 复核。`)
    case 'reviewer-program-missing':
      return {
        say: zh`目标由程序 ${fact.program} 复核，但找不到它。`,
        mend: '装到登录 shell 找得到的地方，或者在 stopMessage.review.command 里写完整路径。',
      }
    case 'reviewer-trouble':
      return { say: reviewerTrouble(fact.why), mend: zh`在那之前，目标按原文发送。${howToReview[fact.backend]}` }
    case 'reviewer-later':
      return fine(reviewerTrouble({ code: 'no-provider' }))
    case 'secrets-kept':
      return fine(secretsKept(fact.kept))
    case 'secrets-trouble':
      return { say: secretsKept(fact.kept), mend: secretsMend(fact.kept) }
    case 'terminals':
      return fine(zh`已连接 ${fact.count} 个终端。`)
    case 'collector':
      return fine(zh`遥测数据发往收集器 ${fact.host}。`)
    case 'collector-away':
      return {
        say: zh`收集器 ${fact.host} 不接收遥测数据：${fact.why}。`,
        mend: '启动它，或者改正配置里的 telemetry.collector 和 telemetry.headers；设为 null 就不再发送。',
      }
    case 'fleet':
      return fine(zh`在 ${fact.url} 的机群 ${fact.name} 里，名叫 ${fact.engine}。`)
    case 'fleet-away':
      return {
        say: zh`连不上机群 ${fact.name} 的枢纽：${fact.why}`,
        mend: '它会自己再试。不要它就运行 onward fleet leave。',
      }
    case 'calls-elsewhere':
      return {
        say: zh`${fact.name}${fact.cwd === null ? '' : zh`（${fact.cwd}）`}的请求没有经过 Onward。`,
        mend: '看看它的哪项设置或参数指定了别的地址或登录（docs/clients.md），然后退出它，用 Onward 的命令启动。',
      }
    case 'agent':
      return fine(
        zh`${fact.version === null ? fact.title : `${fact.title} ${fact.version}`}（${fact.path}）：${standing(
          fact.standing,
        )}`,
      )
  }
}

export function reviewerTrouble(why: ReviewerTrouble): string {
  switch (why.code) {
    case 'no-program':
      return 'stopMessage.review.command 没有写程序。'
    case 'no-provider':
      return '没有配置提供方，模拟器做不了复核。'
    case 'unknown-model':
      return zh`stopMessage.review.model 写的是“${why.model}”，没有配置这个提供方。`
    case 'client-login':
      return zh`${targetText(why.target)} 要客户端自己的登录，复核没有这个登录。`
    case 'no-route':
      return '没有能做复核的路由：“review”和“default”都没有。'
  }
}

function standing(agent: Extract<DoctorFact, { code: 'agent' }>['standing']): string {
  switch (agent.kind) {
    case 'verified':
      return '验证过。'
    case 'newer':
      return zh`比验证过的版本（${agent.than}）新，界面可能变了。如果什么都输不进去，用 \`onward terminals screen\` 报告。`
    case 'older':
      return zh`比验证过的版本（${agent.than}）旧。`
    case 'untold':
      return '它不说自己的版本。'
  }
}

const fine = (say: string): DoctorWords => ({ say, mend: null })
const kinds = { route: '路由', model: '模型', program: '程序' } as const
const howToReview = {
  command: '写上程序："stopMessage": { "review": { "command": ["codex", "exec", "-"] } }。',
  model:
    '加一条路由："routes": { "review": ["provider.model"] }，提供方要有密钥；或者在 stopMessage.review.model 里写模型。',
}
