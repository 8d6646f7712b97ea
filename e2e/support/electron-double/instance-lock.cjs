// One instance per userData folder: a file says whose it is, a later instance leaves its arguments in a folder beside
// it.
const fs = require('node:fs')
const path = require('node:path')

/** true: this is the first one, and `onSecond(argv, workingDirectory)` tells of every later one */
function takeInstanceLock(folder, onSecond) {
  const lock = path.join(folder, 'DoubleLock')
  const mail = path.join(folder, 'DoubleSecondInstances')
  fs.mkdirSync(mail, { recursive: true })
  if (!claim(lock)) {
    const letter = path.join(mail, String(process.pid))
    fs.writeFileSync(`${letter}.tmp`, JSON.stringify({ argv: process.argv, folder: process.cwd() }))
    fs.renameSync(`${letter}.tmp`, `${letter}.json`)
    return false
  }
  const collect = () => {
    for (const name of fs.readdirSync(mail).filter((name) => name.endsWith('.json'))) {
      const letter = path.join(mail, name)
      const { argv, folder } = JSON.parse(fs.readFileSync(letter, 'utf8'))
      fs.rmSync(letter)
      onSecond(argv, folder)
    }
  }
  fs.watch(mail, { persistent: false }, collect)
  process.on('exit', () => fs.rmSync(lock, { force: true }))
  return true
}

function claim(lock) {
  try {
    fs.writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  if (isAlive(Number(fs.readFileSync(lock, 'utf8')))) return false
  fs.rmSync(lock, { force: true })
  return claim(lock)
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    if (error.code === 'ESRCH') return false
    throw error
  }
}
module.exports = { takeInstanceLock }
