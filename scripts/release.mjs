// `npm run release -- 0.2.0`: the version in package.json, package-lock.json and CHANGELOG.md, as a commit with a tag.
// Pushed, the tag makes installers, the npm package and a draft of the release (.github/workflows/release.yml).
// `-- --notes v0.2.0` prints what CHANGELOG.md says of a version.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const unreleased = /^## (?:(\S+), )?not released yet$/im

function refuse(why) {
  console.error(why)
  process.exit(1)
}

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim()
const numbers = (version) => /^(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number)

/** True if `a` is a later version than `b`. */
function isLater(a, b) {
  const [before, after] = [numbers(b), numbers(a)]
  const at = after.findIndex((number, i) => number !== before[i])
  return at >= 0 && after[at] > before[at]
}

/** What CHANGELOG.md says of a version, without its heading. */
function notesOf(version) {
  const section = readFileSync('CHANGELOG.md', 'utf8')
    .split(/^(?=## )/m)
    .find((part) => part.startsWith(`## ${version}, `))
  if (!section) refuse(`CHANGELOG.md says nothing of ${version}.`)
  return section.slice(section.indexOf('\n')).trim()
}

function release(version) {
  if (!numbers(version)) refuse('Name the version: npm run release -- 0.2.0')
  if (git('status', '--porcelain') !== '') refuse('There are changes that are not committed.')
  if (git('tag', '--list', `v${version}`) !== '') refuse(`v${version} is tagged already.`)
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  const changes = readFileSync('CHANGELOG.md', 'utf8')
  const heading = unreleased.exec(changes)
  if (!heading) refuse('CHANGELOG.md has no section "not released yet": say there what is new.')
  // The first release has the version that stands there from the beginning.
  if (version !== heading[1] && !isLater(version, manifest.version))
    refuse(`${version} is no later version than ${manifest.version}.`)
  const today = new Date().toISOString().slice(0, 10)
  writeFileSync('CHANGELOG.md', changes.replace(unreleased, `## ${version}, ${today}`))
  for (const file of ['package.json', 'package-lock.json']) {
    const json = JSON.parse(readFileSync(file, 'utf8'))
    json.version = version
    if (json.packages) json.packages[''].version = version
    writeFileSync(file, `${JSON.stringify(json, null, 2)}\n`)
  }
  git('commit', '--all', '--message', `Release ${version}`)
  git('tag', '--annotate', `v${version}`, '--message', `Onward ${version}`)
  console.log(`Tagged v${version}. To publish it: git push --follow-tags`)
}

const [what = '', tag = ''] = process.argv.slice(2)
if (what === '--notes') console.log(notesOf(tag.replace(/^v/, '')))
else release(what)
