import { ruby } from './quote.mjs'

const className = (name) => name.replaceAll(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase())

/** The command line, of the package for npm: what a server needs. */
const formula = ({ name, summary, homepage, license, files }) => `class ${className(name)} < Formula
  desc ${ruby(summary)}
  homepage "${homepage}"
  url "${files.npm.url}"
  sha256 "${files.npm.sha256}"
  license "${license}"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    man1.install_symlink libexec/"lib/node_modules/${name}/man/${name}.1"
    generate_completions_from_executable(bin/"${name}", "completion", shells: [:bash, :zsh, :fish])
  end

  def caveats
    "Before it is removed, \`${name} uninstall\` gives agents their own settings back."
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/${name} --version")
  end
end
`

/** The desktop app. It brings the same command, so its name is another. */
const cask = ({ name, title, version, summary, homepage, files }) => `cask "${name}-app" do
  version "${version}"

  on_arm do
    sha256 "${files.macArm.sha256}"
    url "${files.macArm.url}"
  end
  on_intel do
    sha256 "${files.macIntel.sha256}"
    url "${files.macIntel.url}"
  end

  name "${title}"
  desc ${ruby(summary)}
  homepage "${homepage}"

  depends_on macos: ">= :ventura"

  app "${title}.app"
  binary "#{appdir}/${title}.app/Contents/Resources/bin/${name}"

  caveats "Before it is removed, \`${name} uninstall\` gives agents their own settings back."
end
`

export const homebrew = {
  needs: ['npm', 'macArm', 'macIntel'],
  write: (table) => ({ [`Formula/${table.name}.rb`]: formula(table), [`Casks/${table.name}-app.rb`]: cask(table) }),
}
