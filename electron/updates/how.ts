/** How a newer Onward takes the place of this one, in words and commands. */
import { cameOverSsh, placeOfInstall, type Install } from '../installed/install.ts'

export interface HowTo {
  /** what this one is */
  say: string
  /** what a person does, in order; a line that begins with `$ ` is a command */
  steps: readonly string[]
}

export function howTo(install: Install): HowTo {
  const within = install.feedFile !== null
  const at = placeOfInstall(install)
  switch (install.kind) {
    case 'npm':
      return {
        say: `Onward is an npm package here, in ${at}.`,
        steps: ['$ npm install --global ./onward-<version>.tgz'],
      }
    case 'deb':
      return {
        say: `Onward is a deb package here, in ${at}.`,
        steps: ['$ sudo apt install ./onward_<version>_amd64.deb'],
      }
    case 'rpm':
      return {
        say: `Onward is an rpm package here, in ${at}.`,
        steps: ['$ sudo dnf install ./onward-<version>.x86_64.rpm'],
      }
    case 'appimage':
      return {
        say: `Onward is an AppImage here, ${at}.`,
        steps: within ? [inApp] : [`Download the newer AppImage and put it in the place of ${at}.`],
      }
    case 'mac':
      return {
        say: `Onward is an app here, ${at}.`,
        steps: within ? [inApp] : ['Download the newer dmg, open it and drag Onward to Applications.'],
      }
    case 'windows':
      return {
        say: `Onward is installed here, in ${at}.`,
        steps: within ? [inApp] : ['Download the newer “Onward-Setup” and run it.'],
      }
    case 'repository':
      return {
        say: `Onward runs from its repository here, ${at}.`,
        steps: [`$ cd ${at}`, '$ git pull', '$ npm ci && npm run build'],
      }
    case 'folder':
      if (cameOverSsh(install.at))
        return {
          say: `Onward was installed over ssh here, in ${at}.`,
          steps: ['Once the machine that installed it has the newer one, there: `onward remote install <machine>`'],
        }
      return { say: `Onward runs from a folder here, ${at}.`, steps: [`Put the newer one in the place of ${at}.`] }
  }
}

const inApp = 'In the desktop app: “Check for updates” in the tray’s menu, or Settings → Updates.'
