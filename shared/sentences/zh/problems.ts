import { wordOf, type ProblemFacts, type ProblemReport } from '../../problems.ts'
import type { NotAnswered } from '../types.ts'
import { configFault, placeInConfig } from './config-faults.ts'
import { callFailure } from './call-failure.ts'
import { zh } from './spaced.ts'

/** Codes that are not known here keep the engine's own sentence. */
export function problem({ code, said, facts }: ProblemReport): string {
  return sentences[code]?.((name) => wordOf(facts, name), facts) ?? said
}

type Say = (fact: (name: string) => string, facts: ProblemFacts) => string

/** Puts a name that is known in “…”. */
const called = (name: string): string => (name === '' ? '' : `“${name}”`)
const rights: Readonly<Record<string, string>> = { look: '查看', answer: '回答', say: '发消息', arm: '设目标和闹钟' }
const notSaved = '没能保存，什么都没有改动。看看磁盘是否已满、是否可写，再试一次。'

export const sentences: Readonly<Record<string, Say>> = {
  'access-gone': () => '它已经不在了。重新看一下找到了什么。',
  'access-unusable': () => '这个登录只有它自己的工具能用。',
  'agent-gone': () => '这个智能体已经结束。',
  'alarm-ambiguous': () => '有好几个闹钟符合。把编号写得更长一些。',
  'alarm-over': () => '这个时间早已过去。给一个将来的时间。',
  'alarm-single': () => '这个闹钟只响一次。不要它就取消。',
  'alarm-under-way': () => '这个闹钟正在送达，不能再改。',
  'alarm-unknown': () => '这个闹钟已经不在了。',
  'answer-too-large': () => '提供方的回答太大。',
  'bad-address': () => '这不是完整的网址。从 https:// 开始整个粘贴；ntfy 的地址后面还要写上主题。',
  'bad-command': () => '这条检查不能用：命令写得不完整，名称不对，或这个文件夹的检查已经太多。',
  'bad-config': (fact) => zh`提供方 ${fact('provider')} 的地址不能用。在配置里写上正确的 baseUrl。`,
  'bad-device-key': () => '这不是设备的钥匙。重新扫码再试一次。',
  'bad-edit': () => '配置里没有这一项，所以没有改动。',
  'bad-key': () => '这不是密钥：它是空的，或含有密钥里不会有的字符。',
  'bad-repeat': () => '重复的闹钟要在第一次之后、一年之内结束。',
  'bad-request': () => '这个请求不完整。刷新页面再试一次。',
  'bad-scenario': () => '模拟器的脚本读不懂。看看它在 Onward 主目录里的文件。',
  'all-resting': () => '所有提供方都在休息，稍后再试。',
  'check-changed': () => '这条检查已经变了。批准之前再看一遍。',
  'check-exists': () => '已经有同名的检查。批准那一条，或换一个名称。',
  'check-not-approved': () => '这条检查要先由人批准才能运行。',
  'check-unknown': () => '这个文件夹里没有这条检查。',
  'clock-off': () => '闹钟已关闭。在设置里打开时钟。',
  'config-changed': () => '配置文件同时被别的程序改过，所以什么都没有写入。看一下它，再试一次。',
  'config-invalid': (fact, facts) => {
    const what = configFault({ code: fact('fault'), facts }) ?? ''
    const field = fact('field')
    if (field !== '')
      return zh`这样配置就不对了，所以没有改动。${what === '' ? `问题在 ${field}。` : `${field}：${what}`}`
    const place = { line: Number(fact('line')), column: Number(fact('column')), path: fact('path') }
    if (place.line > 0 && what !== '') return `配置文件里有错，先改好它。${placeInConfig(place)}：${what}`
    return what === '' ? '配置文件里有错，先改好它。' : what
  },
  'policy-unreadable': () => '读不出你的组织的策略，所以什么请求都不接。找负责那个文件的人。',
  'config-unreadable': () => '配置读不出来，也没有正确的备份，所以什么请求都不接。先修好文件。',
  'device-ambiguous': () => '有好几台设备符合。把编号写得更长一些。',
  'device-may-not': (fact) =>
    fact('right') === ''
      ? '配对的设备都不能做这件事。在电脑上做。'
      : zh`这台设备没有“${rights[fact('right')] ?? fact('right')}”的权限。在电脑的“设置 → 手机”里给它，或在电脑上做。`,
  'device-revoked': () => '这台设备已被撤销。',
  'device-unknown': () => '没有这台设备。',
  'dialog-changed': () => '智能体问的已经不是这个了。看看它的终端。',
  'certificate-mismatch': (fact) => zh`phone.key 里的密钥不属于 ${fact('path') || '这个证书'}。`,
  'certificate-name': (fact) => zh`${fact('path') || '这个证书'} 不是给这个名称的。把它的名称写进 phone.name。`,
  'certificate-over': (fact) => zh`${fact('path') || '这个证书'} 已经过期。`,
  'certificate-unreadable': (fact) => zh`从 ${fact('path') || '这个文件'} 读不出证书或密钥。`,
  'choice-not-reached': () => '没能移到这一项，所以没有按回车。请在终端里选。',
  'empty-text': () => '没有剩下可以输入的文字。写几个字。',
  'ended-at-once': (fact) =>
    (fact('exitCode') === ''
      ? zh`${fact('program')} 一打开就结束了。`
      : zh`${fact('program')} 一打开就以 ${fact('exitCode')} 结束。`) +
    (fact('words') === '' ? '' : `它说：${fact('words')}`),
  'engine-ended': () => '引擎正在结束，配置没有改动。',
  'entry-changed': () => '这条后续消息刚被改过。看一下再改。',
  'entry-not-found': () => '这条后续消息已经不在队列里。',
  'entry-pending': () => '已经有一条后续消息正发往这个终端。',
  'drive-over': () => '代理已经把它结束了。请让代理重新开始。',
  'drive-unknown': () => '代理没有在进行的这一项。',
  'entry-under-way': () => '这条后续消息已经不在等待：它正在输入、已发出或已结束。',
  'fleet-address': () =>
    '这不是枢纽的地址。写 nats://主机:4222，要 TLS 就写 tls://，里面不要有登录名和密码：那要放进凭据文件。',
  'fleet-contract': (fact) =>
    fact('fit') === 'too-old' ? '那个引擎太旧，先在那里更新并重启。' : '那个引擎比这里新太多，先更新这里。',
  'fleet-creds': (fact) => zh`凭据文件 ${fact('path') || '这个'} 不能用。看看它在不在、是不是只有你能读、内容对不对。`,
  'fleet-engine-away': () => '这个引擎现在没有连到枢纽。',
  'fleet-engine-unknown': () => '机群里没有叫这个名字的引擎。',
  'fleet-hub-away': (fact) => zh`连不上枢纽 ${fact('url')}。看看网络，稍后再试。`,
  'fleet-may-not': () => '机群不能让这个引擎做这件事。在它那台机器上做，或在那里的 fleet.rights 里允许。',
  'fleet-name': () => '这不能做名称：只能用字母、数字、- 和 _。',
  'fleet-no-answer': () => '用这个名字回答的不是 Onward。',
  'fleet-no-jetstream': (fact) => zh`枢纽 ${fact('url')} 的 JetStream 没有回答。它必须打开。`,
  'fleet-no-stream': () => '枢纽不传这种持续的内容。要看它，通过 ssh 连接那台机器。',
  'fleet-none': () => '这里没有加入机群。先用 onward fleet join 加入。',
  'fleet-not-allowed': (fact) => zh`枢纽不让这份凭据用 ${fact('subject') || '这个主题'}。向管理枢纽的人要这个权限。`,
  'fleet-path': () => '这不是完整的路径。从根目录写起。',
  'fleet-policy-held': (fact) => zh`机群 ${fact('fleet')} 的策略在这里有效，只有它能收回。找管理它的人。`,
  'fleet-policy-wrong': () => '机群的策略写错了，之前的规则继续有效。',
  'fleet-refused': (fact) => zh`枢纽 ${fact('url')} 拒绝了登录。向管理它的人要凭据，用 --creds 写出文件。`,
  'fleet-silent': () => '它没有及时回答，不知道这件事做了没有。',
  'fleet-too-large': () => '回答太大，枢纽传不了。少要一些。',
  'folder-not-found': (fact) => zh`没有 ${fact('path') || '这个'} 文件夹。`,
  'folder-not-readable': (fact) => zh`${fact('path') || '这个文件夹'} 不能读。看看它的所有者和权限。`,
  'goal-changed': () => '文件里的目标已经变了。看一下再应用。',
  'goal-unseen': () => '先看文件里的目标，再应用。',
  'held-by-policy': (fact, facts) =>
    `${configFault({ code: fact('fault'), facts }) ?? '你的组织规定了这项设置。'}所以没有改动。`,
  'host-protocol': () => '终端的宿主进程回答了别的内容。重新打开这个终端。',
  internal: () => 'Onward 内部出错，详情在日志里。',
  'key-exists': (fact) => zh`已经有密钥${called(fact('name'))}。换一个名称。`,
  'keychain-unreachable': (fact) =>
    `钥匙串现在不能用${fact('said') === '' ? '' : `（${fact('said')}）`}。解锁它，或在有钥匙串的桌面会话里启动 Onward，再试一次。`,
  'key-used': () => '别的会话已经用过这个编号。',
  'key-unknown': () => '这个密钥已经不在了。',
  'goal-not-asked': () => '这个目标太长，没法留给人看：请写短一些。',
  'fleet-lossy': () => '枢纽在途中丢了一条消息，线路断开。再试一次。',
  'machine-auth-refused': (fact) => zh`${fact('machine')} 拒绝了登录。用 ssh 连它必须不用回答任何问题。`,
  'machine-connecting': (fact) => zh`正在连接 ${fact('machine')}，过一会儿再试。`,
  'machine-contract': (fact) => zh`${fact('machine')} 上的 Onward 和这里的版本差得太多。更新较旧的那个，再启动它。`,
  'machine-engine-ended': (fact) => zh`${fact('machine')} 上的引擎在回答之前就结束了。`,
  'machine-engine-silent': (fact) => zh`${fact('machine')} 上的引擎没有回答。`,
  'machine-exists': (fact) => zh`已经有叫 ${fact('machine')} 的机器。换一个名称，或先去掉它。`,
  'machine-has-onward': (fact) => zh`${fact('machine')} 上已有 Onward，不能从这里替换。在那里更新它。`,
  'machine-host-key': (fact) => zh`ssh 不认识 ${fact('machine')} 的主机密钥，或者它变了。在终端里用 ssh 连一次看看。`,
  'machine-host-unknown': (fact) => zh`找不到 ${fact('machine')}。看看名称，以及你是不是在它的网络或 VPN 里。`,
  'machine-install-changed': (fact) => zh`显示之后 ${fact('machine')} 有了变化。再看一次。`,
  'machine-install-failed': (fact) => zh`没有在 ${fact('machine')} 上装好 Onward。看看日志。`,
  'machine-line-lost': (fact) => zh`到 ${fact('machine')} 的连接在回答之前断了，不知道那里做了没有。`,
  'machine-name': () => '这不能做名称：只能用字母、数字、点、- 和 _，以字母或数字开头。',
  'machine-no-answer': (fact) => zh`在 ${fact('machine')} 上回答的不是 Onward。`,
  'machine-no-engine': (fact) => zh`${fact('machine')} 上没有引擎在运行。可以从这里启动它。`,
  'machine-no-node': (fact) => zh`${fact('machine')} 上没有 Node.js 20.19 或更新的版本。先在那里安装。`,
  'machine-no-onward': (fact) => zh`${fact('machine')} 上没有 onward。可以从这里安装，或写出它的路径。`,
  'machine-no-ssh': () => '这台机器上没有 ssh。先安装 OpenSSH 客户端。',
  'machine-problem': (fact) => zh`${fact('machine')} 上的 Onward 出错了。`,
  'machine-platform': (fact) => zh`不能从这里把 Onward 装到 ${fact('machine')} 这样的系统上。`,
  'machine-program': () => '那里的程序要写完整路径，里面不能有空格和特殊字符。',
  'machine-silent': (fact) => zh`${fact('machine')} 没有及时回答。`,
  'machine-ssh-failed': (fact) => zh`用 ssh 连 ${fact('machine')} 失败了。在终端里用 ssh 试一次。`,
  'machine-target': () => '要写 ssh 能用的目标，比如 user@host 或 ssh 配置里的名称。',
  'machine-unknown': () => '没有叫这个名字的机器。先用 onward remote add 添加。',
  'machine-unreachable': (fact) => zh`连不上 ${fact('machine')}。看看它开着没有，你在不在它的网络里。`,
  'machines-file': () => '保存机器的文件不能读或不能写。看看日志。',
  'machines-none': () => '这个引擎不连接别的机器。',
  'operation-input': () => '别的机器的引擎不接受这个内容。',
  'operation-unknown': () => '不能从这里让别的机器做这件事。',
  'marker-unknown': () => '这个标记已经不在等待。',
  'missed-unknown': () => '这个错过的闹钟已经处理过了。',
  'no-credential': () => '这里要用客户端自己的登录，而它没有送来。让智能体登录，或给提供方一个密钥。',
  'no-demo': () => '这里没有演示用的智能体。用你自己的智能体打开终端。',
  'no-device': () => '通知只推送到配对的设备。先配对这个浏览器。',
  'no-folder': () => '不知道它在哪个文件夹里工作。从 Onward 启动智能体，检查才能在那里运行。',
  'no-key': () => '这个选项没有自己的按键。在终端里选。',
  'no-left-goal': () => '没有别的对话留下的目标可以接着做。',
  'no-outage': () => '这个会话里现在没有提供方出错，没有什么可等的。',
  'no-pairing': () => '这个码已经用过或太旧。在电脑上生成新的。',
  'no-route': () => '没有提供方能接这个请求。看看“提供方与路由”。',
  'no-scope': () => '它没有 Onward 能输入的终端。从 Onward 启动它的智能体。',
  'no-such-address': () => '这台机器没有手机能连到的这个地址。',
  'no-words': () => '闹钟要写上到时候做什么。',
  'not-a-folder': (fact) => zh`${fact('path') || '它'} 不是文件夹。`,
  'not-ours': () => '这个终端不是 Onward 打开的，请在它自己那里操作。',
  'not-started': () => '引擎还没有准备好，稍后再试。',
  'nothing-armed': () => '这里没有武装。先设一条消息或目标。',
  'nothing-to-put-back': () => '没有可以放回的：配置文件是对的，或不知道以前哪份是对的。',
  'nothing-to-rearm': () => '没有以前的消息可以重新武装。设一条新的。',
  'nothing-to-undo': () => '没有从这里做过可以撤销的改动。',
  'nothing-waits': () => '这个会话没有等着的继续，没有什么可取消。',
  'one-turn': () => '它只管一个回合，而那个回合已经过去。随下一条消息写出来。',
  'other-conversation': () => '它的终端现在显示的是另一个对话。',
  'outside-exists': (fact) => zh`已经有通知去处${called(fact('name'))}。换一个名称。`,
  'outside-unknown': () => '没有这个通知去处。',
  'phone-address-gone': (fact) => zh`这台机器现在没有地址 ${fact('host')}。换一个，或不开。`,
  'phone-port-failed': (fact) => zh`没能在 ${fact('at') || '这里'} 为手机开端口：${fact('why')}。`,
  'phone-port-taken': (fact) => zh`${fact('at') || '这个端口'} 被别的程序占用。在配置里换一个 phone.port。`,
  'pane-changed': (fact) => zh`窗格 ${fact('paneId')} 已经是另一个了。重新列出窗格再试。`,
  'pane-no-agent': (fact) => zh`窗格 ${fact('paneId')} 的前台现在没有智能体。在那里启动一个，或把它切回前台。`,
  'pane-unknown': () => 'tmux 里没有这个窗格。',
  'path-refused': () => '这个路径指向允许的地方之外，所以不碰它。',
  'program-not-found': (fact) =>
    zh`没有找到 ${fact('program')}，你的 PATH 和登录 shell 的 PATH 里都没有。安装它，或写出它的路径。`,
  'provider-changed': (fact) => zh`${fact('provider')} 的配置同时被改过，所以什么都没有写入。看一下再试。`,
  'provider-exists': (fact) => zh`已经有提供方${called(fact('provider'))}。换一个名称，或先去掉它。`,
  'pty-host': () => '终端的宿主进程没有启动。在设置里的诊断看看原因。',
  'pty-unavailable': () => '这台机器打不开伪终端。改用 tmux 运行智能体。',
  'scope-moved': () => '这个会话刚换了终端，再试一次。',
  'secrets-index': () => '记录每个密钥在哪里的文件坏了。用备份恢复它；没有它，钥匙串里的密钥就找不到。',
  'secrets-open': () => '存密钥的文件别人也能读，又不属于你，所以不用它。把它改成你的，权限 600。',
  'secrets-unmoved': (fact) =>
    [
      fact('secrets') === '' ? '' : zh`没有移到${fact('to') === 'file' ? '文件' : '钥匙串'}：${fact('secrets')}。`,
      fact('copies') === '' ? '' : zh`原处还留着不再有效的副本：${fact('copies')}。`,
      fact('to') === 'file' && fact('secrets') !== '' ? '新密钥已经存进文件：在那里重新填这些，或以后再移。' : '',
      fact('secrets') === '' ? 'Onward 会再试。' : '',
    ].join(''),
  'secrets-unreadable': () => '存密钥的文件不是 Onward 写的样子。修好它，或删掉它再重新填密钥。',
  'servertool-env': () => '这由 ROUTECODEX_SERVER_TOOLS 决定。不带它启动 Onward，才能在这里切换。',
  'servertool-unknown': () => '没有这个工具。',
  'session-ambiguous': () => '有好几个会话符合。写得更完整一些。',
  'session-queued': () => '这个会话还有排队的内容。等它送到，或者先撤掉，再删除。',
  'session-unknown': () => '这个会话已经不在了。',
  'session-working': () => '这个会话正在工作。等它停下，或者先结束它，再删除。',
  'setup-changed': (fact) =>
    fact('backup') === ''
      ? '这些设置和刚才显示的不一样了，所以什么都没有写入。再看一遍。'
      : zh`Onward 写过的地方被改过，所以没有撤销。原来的文字在 ${fact('backup')}。`,
  'setup-refused': (fact) => {
    if (fact('obstacle') === 'server-keys')
      return '什么都没有写入。这个引擎要求调用方带密钥，而 Onward 不会把密钥写进智能体的文件。请从 Onward 启动它。'
    if (fact('obstacle') === 'taken-name') return '什么都没有写入。那个文件里已经有名为 “onward” 的提供方，先去掉它。'
    return '什么都没有写入。它的设置文件有错，或不是文字。先改好它。'
  },
  'setup-unknown': () => '它不是由 Onward 设置的，没有什么可撤销。',
  'spawn-failed': () => '程序启动不了。看看它的路径和权限。',
  'store-corrupt': () => 'Onward 存的一个文件已损坏，被放到一边。日志里有详情。',
  'store-failed': () => notSaved,
  'store-newer': () => '这个文件是更新的 Onward 写的。更新这一个，再试。',
  'store-path': () => 'Onward 内部出错，详情在日志里。',
  'read-failed': () => '终端的画面读不出来。',
  'tailscale-down': () => '这里的 Tailscale 没有运行。启动并登录它。',
  'tailscale-missing': () => '这台机器上没有 `tailscale`。',
  'tailscale-no-certificates': () => 'Tailscale 不给这台机器证书。在它的管理控制台的 DNS 里打开 MagicDNS 和 HTTPS。',
  'tailscale-refused': () => 'Tailscale 没有给证书。看看 `onward phone pair` 说了什么。',
  'terminal-ambiguous': () => '有好几个终端符合。写得更完整一些。',
  'terminal-exists': () => '这个终端已经登记过了。',
  'terminal-gone': () => '这个终端已经没有可看的。',
  'terminal-offline': () => '现在连不上这个终端。',
  'terminal-unknown': () => '这个终端已经不在了。',
  'timed-out': () => '没有及时得到完整的回答。',
  'tmux-failed': () => 'tmux 没能照做。',
  'tmux-silent': () => 'tmux 没有回答。',
  'too-many-devices': () => '配对的设备太多了。先撤销一台。',
  'too-many': () => '这个会话的闹钟太多了。先取消几个。',
  'turn-unknown': () => '这个回合已经没有记录。',
  'unknown-preset': () => '没有这个预设。',
  'unknown-provider': () => '配置里没有这个提供方。',
  'unknown-terminal': () => '终端的宿主进程里已经没有这个终端。',
  'unknown-target': () => '这个模型不能代替：配置里没有它，或它也出错了。换一个。',
}

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
