import { nix as quote } from './quote.mjs'

const libraries =
  'alsa-lib at-spi2-core cairo cups dbus expat glib gtk3 libdrm libgbm libxkbcommon nspr nss pango systemd'
const ofX = 'libX11 libXcomposite libXdamage libXext libXfixes libXrandr libxcb'
const atRunTime = 'libGL libnotify libsecret'

const names = (list) => list.split(' ').join(', ')

/** From the deb, which has app, command, manual page, icons and desktop entry. */
const expression = ({ name, title, version, summary, description, homepage, license, desktopProgram, files }) => `{
  lib, stdenv, fetchurl, dpkg, autoPatchelfHook,
  ${names(libraries)},
  xorg,
  ${names(atRunTime)}
}:

stdenv.mkDerivation {
  pname = "${name}";
  version = "${version}";
  src = fetchurl {
    url = "${files.deb.url}";
    sha256 = "${files.deb.sha256}";
  };

  nativeBuildInputs = [ dpkg autoPatchelfHook ];
  buildInputs = [ ${libraries} ]
    ++ (with xorg; [ ${ofX} ]);
  runtimeDependencies = [ (lib.getLib systemd) ${atRunTime} ];

  # Without the owners and rights of the deb, which a store does not have.
  unpackPhase = "dpkg-deb --fsys-tarfile $src | tar --extract --no-same-owner --no-same-permissions";
  dontConfigure = true;
  dontBuild = true;
  installPhase = ''
    runHook preInstall
    mkdir -p $out/bin $out/opt
    cp -r opt/${title} $out/opt/
    cp -r usr/share $out/
    substituteInPlace $out/share/applications/${desktopProgram}.desktop \\
      --replace-fail /opt/${title}/${desktopProgram} ${desktopProgram}
    ln -s $out/opt/${title}/resources/bin/${name} $out/bin/${name}
    ln -s $out/opt/${title}/${desktopProgram} $out/bin/${desktopProgram}
    runHook postInstall
  '';

  meta = {
    description = ${quote(summary)};
    longDescription = ${quote(description)};
    homepage = "${homepage}";
    license = lib.getLicenseFromSpdxId "${license}";
    mainProgram = "${name}";
    platforms = [ "x86_64-linux" ];
    sourceProvenance = [ lib.sourceTypes.binaryNativeCode ];
  };
}
`

const flake = ({ summary }) => `{
  description = ${quote(summary)};
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";
  outputs = { nixpkgs, ... }: {
    packages.x86_64-linux.default = nixpkgs.legacyPackages.x86_64-linux.callPackage ./package.nix { };
  };
}
`

export const nix = {
  needs: ['deb'],
  write: (table) => ({ 'package.nix': expression(table), 'flake.nix': flake(table) }),
}
