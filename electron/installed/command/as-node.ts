/**
 * An AppImage is mounted somewhere else at each start, so the script within is found by the program that runs. `--`
 * ends Node's options. `--no-sandbox` stands where Node has the name of a script: AppRun puts that option in front of
 * Node's, which Node refuses, unless it is there already.
 */
export const asNode: readonly string[] = [
  '-e',
  'const {dirname,join}=require("node:path");' +
    'import(require("node:url").pathToFileURL(join(dirname(process.execPath),' +
    '"resources/app.asar/out/main/onward.js")).href)',
  '--',
  '--no-sandbox',
]
