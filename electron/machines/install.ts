/**
 * Onward for a machine that has none: the files of this one, over the same ssh, into the person's own folders. One
 * shell script there does it. It is shown before, and where it fails or the line breaks it takes back what it made.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { InstallPlan, InstallStep } from '../../shared/machines.ts'
import { messageOf, systemCodeOf, type OnwardError } from '../engine/base/errors.ts'
import { isNewer } from '../../shared/newer-version.ts'
import { lastLine, noSsh, notLinked, problem } from './link-problem.ts'
import type { Machine } from './machine.ts'
import { ownFiles, ownPlatform, platformOf } from './own-files.ts'
import { byShell, commandWords } from './ssh-words.ts'
import { endOf, sharedFolder, type End, type LinkDeps, type SshProcess } from './ssh-process.ts'
import { tarOf } from './tar.ts'

export interface InstallDeps extends LinkDeps {
  version: string
  /** the folder of this installation that has `out` */
  root: string
  /** what its native parts run on; default: this machine */
  platform?: string
}

/** from the person's home folder there */
const share = '.local/share/onward'
const link = '.local/bin/onward'
/** `engines` of package.json */
const leastNode = '20.19.0'
/** a path that needs no quotes, as it stands in a script and in what is shown */
const plainPath = /^\/[A-Za-z0-9._/+@-]+$/
const mark = 'onward-there'
const lookWithinMs = 60_000
/** a slow line, and npm there */
const installWithinMs = 15 * 60_000
const chunkBytes = 64 * 1024

/** Says what is there. Of Node all that a login may find: on the bare PATH, and by the start files of its shell. */
const look = byShell(
  [
    'cd',
    `echo ${mark} home $PWD`,
    `echo ${mark} link $(readlink ${link} || ls ${link} 2>/dev/null) $(${link} --version 2>/dev/null)`,
    'asks() { "${SHELL:-/bin/sh}" $1 "command -v $2" </dev/null 2>/dev/null | tail -n 1; }',
    `for o in $(command -v onward) $(asks -lc onward); do echo ${mark} onward $o; done`,
    `for n in $({ command -v node; asks -lc node; asks -ilc node; } | uniq); do echo ${mark} node $n ` +
      '$("$n" -p "process.report.excludeNetwork=true,' +
      '[process.versions.node,process.platform,process.arch,process.report.getReport().header.glibcVersionRuntime]' +
      '.join()" 2>/dev/null) $([ -x "${n%/*}/npm" ] && echo npm); done',
    `echo ${mark} os $(uname -sm)`,
  ].join('; '),
)

interface Found {
  path: string
  version: string
  platform: string
  npm: boolean
}

/** @throws OnwardError `machine-…`: it can't be reached, or why nothing can be installed there */
export async function planInstall(machine: Machine, deps: InstallDeps): Promise<InstallPlan> {
  return (await prepared(machine, deps)).plan
}

/**
 * Leaves nothing there when it is left before its end. Starting an engine is for the caller.
 * @param shown fingerprint of the plan that a person said yes to. @throws as `planInstall`, and `machine-install-…`
 */
export async function* install(machine: Machine, deps: InstallDeps, shown: string): AsyncGenerator<InstallStep> {
  const { plan, archive } = await prepared(machine, deps)
  if (plan.fingerprint !== shown)
    throw problem(machine, 'machine-install-changed', `Since it was shown, ${machine.name} changed. Look at it again.`)
  const ssh = deps.spawn(commandWords(machine, await sharedFolder(machine, deps), byShell(plan.runs.join('; '))))
  const said = saidBy(ssh)
  const late = setTimeout(() => ssh.kill('SIGKILL'), installWithinMs)
  const over = said.end.then(() => true)
  try {
    for (let at = 0; at < archive.length; at += chunkBytes) {
      yield { kind: 'sending', sent: at, of: archive.length }
      const taken = ssh.stdin.write(archive.subarray(at, at + chunkBytes))
      if (!taken && (await Promise.race([drained(ssh), over]))) break
    }
    ssh.stdin.end()
    yield { kind: 'checking' }
    const end = await said.end
    if (end.failed || !said.out().includes(`${mark} installed`)) throw notInstalled(machine, end)
  } finally {
    clearTimeout(late)
    ssh.stdin.destroy()
    ssh.kill()
  }
}

async function prepared(machine: Machine, deps: InstallDeps): Promise<{ plan: InstallPlan; archive: Buffer }> {
  const { name, target, program } = machine
  if (program !== null)
    throw problem(
      machine,
      'machine-has-onward',
      `${name} was added with its \`onward\` at ${program}. Remove it, and add it without that.`,
    )
  const { node, home } = await lookThere(machine, deps)
  const alike = node.platform === (deps.platform ?? ownPlatform())
  if (!alike && !node.npm)
    throw problem(
      machine,
      'machine-platform',
      `${name} is ${node.platform}, unlike this machine, and there is no npm beside ${node.path} to get what has ` +
        'to be made for it. Install npm there.',
    )
  const { version } = deps
  const { files, native } = await ownFiles(deps.root, version, alike)
  const folder = `${share}/${version}`
  const start = `#!/bin/sh\nexec ${node.path} "$HOME/${folder}/out/main/onward.js" "$@"\n`
  const archive = await promisify(gzip)(
    tarOf([...files, { path: 'bin/onward', bytes: Buffer.from(start), executable: true }]),
  )
  const runs = script(version, node, !alike)
  const plan = {
    machine: name,
    target,
    version,
    folder: `${home}/${folder}`,
    command: `${home}/${link}`,
    node: { path: node.path, version: node.version },
    bytes: archive.length,
    fetches: alike ? [] : Object.entries(native).map(([as, of]) => `${as} (${of})`),
    runs,
    undo: `ssh ${target} "~/${link} uninstall --yes; rm -r ~/${link} ~/${share}"`,
  }
  const fingerprint = createHash('sha256').update(JSON.stringify(plan)).digest('hex').slice(0, 32)
  return { plan: { ...plan, fingerprint }, archive }
}

/** Each line stands for itself, none has what the quotes of `byShell` forbid, and the first that fails ends it. */
function script(version: string, { path: node }: Found, fetch: boolean): string[] {
  const folder = `${share}/${version}`
  return [
    'set -eu; cd; umask 077; made=; new=',
    'undo() { rm -rf $made; for d in $new; do rmdir $d 2>/dev/null || :; done; }',
    'trap undo EXIT; trap "exit 1" HUP INT TERM PIPE',
    `for d in .local .local/share ${share} .local/bin; do [ -d $d ] || { new="$d $new"; mkdir $d; }; done`,
    // of one that had no time to take back what it made
    `for d in ${share}/.new-*; do kill -0 "\${d##*-}" 2>/dev/null || rm -rf $d; done`,
    `n=${share}/.new-$$; made=$n; mkdir $n; tar -xzf - -C $n`,
    ...(fetch
      ? [
          `(cd $n && PATH=${node.replace(/\/[^/]*$/, '')}:$PATH npm install --omit=dev --ignore-scripts ` +
            '--no-audit --no-fund --logs-max=0 >/dev/null)',
        ]
      : []),
    `[ "$(${node} $n/out/main/onward.js --version)" = ${version} ] || { echo it does not start >&2; exit 1; }`,
    `${node} -e "try{require(process.argv[1])}catch(e){` +
      `console.error(e.message.split(String.fromCharCode(10))[0]);process.exit(1)}" ./$n/node_modules/node-pty`,
    `made="$n ${folder} ${share}/.link"; rm -rf ${folder}; mv $n ${folder}`,
    `ln -sf ../share/onward/${version}/bin/onward ${share}/.link`,
    `trap "" HUP INT TERM PIPE; mv -f ${share}/.link ${link}; made=; new=; echo ${mark} installed`,
  ]
}

async function lookThere(machine: Machine, deps: InstallDeps): Promise<{ home: string; node: Found }> {
  const { name } = machine
  const ssh = deps.spawn(commandWords(machine, await sharedFolder(machine, deps), look))
  const said = saidBy(ssh)
  ssh.stdin.end()
  let tooLate = false
  const late = setTimeout(() => {
    tooLate = true
    ssh.kill('SIGKILL')
  }, lookWithinMs)
  const end = await said.end
  clearTimeout(late)
  if (end.failed) throw systemCodeOf(end.failed) === 'ENOENT' ? noSsh(machine, end.failed) : end.failed
  const lines = said.out().split('\n')
  const facts = (of: string) =>
    lines.filter((line) => line.startsWith(`${mark} ${of} `)).map((line) => line.split(' ').slice(2))
  const home = facts('home')[0]?.join(' ')
  const os = facts('os')[0]?.join(' ')
  if (home === undefined || os === undefined) throw notLinked(machine, end, tooLate ? lookWithinMs : null)

  const [linked = '', runs = ''] = facts('link')[0] ?? []
  const ours = linked.startsWith('../share/onward/')
  const foreign = facts('onward').find(([path]) => path !== `${home}/${link}`)?.[0] ?? (ours ? '' : linked)
  if (foreign !== '' || (ours && runs !== '' && !isNewer(deps.version, runs)))
    throw problem(
      machine,
      'machine-has-onward',
      foreign === ''
        ? `${name} has Onward ${runs}: nothing is to be installed.`
        : `${name} has an \`onward\`, ${foreign}, that was not installed from here. Update that one there.`,
    )
  if (!/^(Linux|Darwin) /.test(os))
    throw problem(
      machine,
      'machine-platform',
      `${name} is ${os}. Onward can be installed on Linux and macOS from here.`,
    )
  const found = facts('node').flatMap(([path = '', is = '', npm]): Found[] => {
    const [version = '', system = '', arch = '', glibc = ''] = is.split(',')
    const platform = platformOf(system, arch, glibc !== '')
    return arch !== '' && plainPath.test(path) ? [{ path, version, platform, npm: npm === 'npm' }] : []
  })
  const node = found.find(({ version }) => !isNewer(leastNode, version))
  if (node) return { home, node }
  const has = found.map(({ path, version }) => `${path} is ${version}`).join(', ')
  throw problem(
    machine,
    'machine-no-node',
    `${name} has no Node.js ${leastNode} or newer${has && ` (${has})`}. Install it there first: Onward runs on it.`,
  )
}

function notInstalled(machine: Machine, end: End): OnwardError {
  const said = end.failed ? messageOf(end.failed) : lastLine(end.said)
  // the script there ends with the line, and nobody has seen how
  const unseen = end.code === null || end.code === 255
  return problem(
    machine,
    'machine-install-failed',
    unseen
      ? `The line to ${machine.name} broke${said && `: ${said}`}. It is not known whether Onward was installed: what ` +
          `was not whole takes itself back there. Look with \`onward remote test ${machine.name}\`.`
      : `Onward was not installed on ${machine.name}${said && `: ${said}`}. Nothing of it is left there.`,
  )
}

function saidBy(ssh: SshProcess): { end: Promise<End>; out(): string } {
  let out = ''
  ssh.stdout.setEncoding('utf8').on('data', (text: string) => {
    out = (out + text).slice(-chunkBytes)
  })
  return { end: endOf(ssh), out: () => out }
}

const drained = (ssh: SshProcess): Promise<false> =>
  new Promise((resolve) => {
    ssh.stdin.once('drain', () => resolve(false))
  })
