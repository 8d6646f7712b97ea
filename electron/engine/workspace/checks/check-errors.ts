import { OnwardError } from '../../base/errors.ts'

const refusal = (code: string, status: number) => (message: string) => new OnwardError(code, message, { status })

const unknown = refusal('check-unknown', 404)
const changed = refusal('check-changed', 409)
const notApproved = refusal('check-not-approved', 409)
const exists = refusal('check-exists', 409)
const noFolder = refusal('no-folder', 409)
const badCommand = refusal('bad-command', 400)

export const checkErrors = {
  unknown: (name: string) => unknown(`No check is called “${name}” in this folder.`),
  neverApproved: (name: string) => unknown(`“${name}” is not approved in this folder, so there is nothing to forget.`),
  readsOtherwise: (name: string) =>
    changed(`“${name}” reads otherwise by now. Look at it again before you approve it.`),
  notApproved: (name: string) => notApproved(`“${name}” waits for a person’s approval before it may run.`),
  notAsApproved: (name: string) =>
    notApproved(`“${name}” was approved with another command. It has to be approved again before it may run.`),
  exists: (name: string) =>
    exists(`A check called “${name}” is there already. Approve that one, or take another name.`),
  noFolder: (problem: string) => noFolder(problem),
  badName: () => badCommand('A check’s name has 1 to 200 characters that can be seen.'),
  tooMany: (most: number) => badCommand(`This folder has ${most} checks already. Forget one first.`),
}
