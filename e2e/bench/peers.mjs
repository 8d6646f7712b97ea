// `npm run bench -- --peers`: other gateways on Node, in the same run as everything else. Installed into a folder that
// goes with the bench, in exactly these versions, with no script of theirs run; each has a home of its own, listens on
// loopback and knows no provider but the bench's upstream.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { start, temporaryFolder } from './children.mjs'
import { answersRight } from './peer-check.mjs'

/** `entry`: the one protocol of a client that it takes to this upstream. */
const peers = [
  {
    name: 'claude-code-router',
    entry: 'messages',
    packages: { '@musistudio/claude-code-router': '2.0.0' },
    program: '@musistudio/claude-code-router/dist/cli.js',
    args: ['start'],
    // https://github.com/musistudio/claude-code-router: config.json below the home
    configure(home, upstream) {
      mkdirSync(join(home, '.claude-code-router'))
      const provider = {
        name: 'mock',
        api_base_url: `http://127.0.0.1:${upstream.port}/v1/chat/completions`,
        api_key: 'k',
        models: ['mock-model'],
      }
      const config = { LOG: false, HOST: '127.0.0.1', Providers: [provider], Router: { default: 'mock,mock-model' } }
      writeFileSync(join(home, '.claude-code-router/config.json'), JSON.stringify(config))
    },
    headers: () => ({}),
  },
  {
    name: 'Portkey',
    entry: 'chat',
    // With a newer @hono/node-server every stream ends in a 500: https://github.com/Portkey-AI/gateway/issues/1389
    packages: { '@portkey-ai/gateway': '1.15.2', '@hono/node-server': '1.13.8' },
    program: '@portkey-ai/gateway/build/start-server.js',
    args: ['--headless'],
    configure() {},
    // Its provider stands in each request: https://portkey.ai/docs, "custom host"
    headers: (upstream) => ({
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `http://127.0.0.1:${upstream.port}/v1`,
    }),
  },
]

export const versionOf = ({ packages }) =>
  Object.entries(packages)
    .map(([name, version]) => `${name}@${version}`)
    .join(' with ')

/** Whether it can do a lane: of its client's protocol, and without a marker, which only Onward knows. */
export const takes = ({ entry }, lane) => entry === (lane.entry ?? 'chat') && !lane.marker

function install() {
  const folder = temporaryFolder()
  const dependencies = Object.assign({}, ...peers.map(({ packages }) => packages))
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      private: true,
      dependencies,
      overrides: Object.fromEntries(Object.keys(dependencies).map((name) => [name, `$${name}`])),
    }),
  )
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'],
    { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' },
  )
  if (status !== 0) throw new Error(`the peers can't be installed\n${stderr}`)
  return folder
}

async function startPeer(peer, folder, upstream) {
  const home = temporaryFolder()
  peer.configure(home, upstream)
  const preload = new URL('peer-preload.mjs', import.meta.url).href
  const program = join(folder, 'node_modules', peer.program)
  const env = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home }
  const running = await start(['--import', preload, program, ...peer.args], '1', env)
  return { name: peer.name, peer, headers: peer.headers(upstream), ...running }
}

/** Those that answer as they should; of the others, `say` tells what they did. */
export async function startPeers(upstream, say) {
  say(`installing ${peers.map(versionOf).join(', ')}`)
  const folder = install()
  const targets = []
  for (const peer of peers) {
    const target = await startPeer(peer, folder, upstream)
    const wrong = await answersRight(target, peer.entry, upstream)
    if (wrong === null) targets.push(target)
    else {
      say(`${peer.name} is left out: ${wrong}`)
      await target.stop('SIGKILL')
    }
  }
  return targets
}
