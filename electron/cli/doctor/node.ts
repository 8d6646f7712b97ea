import { bad, good, type Check } from './types.ts'

/** `engines` of package.json */
const least = [20, 19]

export const checkNode: Check = async () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const enough = major > (least[0] ?? 0) || (major === least[0] && minor >= (least[1] ?? 0))
  return [
    enough
      ? good('node', `Node.js ${process.versions.node}`)
      : bad('node', `Node.js ${process.versions.node} is too old.`, `Install Node.js ${least.join('.')} or newer.`),
  ]
}
