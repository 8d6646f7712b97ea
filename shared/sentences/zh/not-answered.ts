import type { NotAnswered } from '../types.ts'
import { callFailure } from './call-failure.ts'
import { zh } from './spaced.ts'

/** The provider's own words follow the sentence unchanged. */
export function notAnswered({ provider, test }: NotAnswered): string {
  const { said } = test
  return why(provider, test) + (said === undefined || said === null ? '' : `它说：${said}`)
}

function why(provider: string, test: NotAnswered['test']): string {
  const key = test.key === null ? '访问' : `密钥“${test.key}”`
  const status = test.status === null ? '' : `（${test.status}）`
  switch (test.code) {
    case 'client-login':
      return zh`${provider} 使用调用方自己的登录，Onward 没有，所以不能由 Onward 来问。`
    case 'key-missing':
      return test.key === null ? zh`${provider} 没有密钥，先加一个。` : `${key}没有值。看看它的变量或重新填写。`
    case 'key-refused':
      return `${key}被拒绝${status}。`
    case 'model-unknown': {
      const lists = test.lists && test.lists.length > 0 ? zh`它有：${test.lists.join('、')}。` : ''
      return zh`${provider} 没有模型“${test.model ?? ''}”${status}。` + lists
    }
    case 'limit':
      return `额度或速率已到上限${status}。`
    case 'refused':
      return zh`${provider} 没有给出回答${status}。`
    case 'no-answer':
      return '回答的不是这类模型。检查类型和 baseUrl。'
    case 'no-models':
      return zh`${provider} 没有列出模型${status}，配置里也没有写。给它加一个模型，再检查 baseUrl。`
    case 'no-list':
      return zh`${provider} 没有给出模型列表${status}。手工填写，或检查类型和 baseUrl。`
    case 'redirected':
      return zh`${provider} 转到了别的地址${status}，密钥不会送去那里。在 baseUrl 里写上正确的地址。`
    case 'timed-out':
      return zh`${provider} 没有及时回答。`
    default:
      return /^(?:upstream|via)-/.test(test.code)
        ? zh`问 ${provider} 时出错：${callFailure(test.code)}。检查地址、网络和代理。`
        : zh`${provider} 没有给出回答。`
  }
}
