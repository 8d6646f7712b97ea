#!/bin/sh
# Behind dpkg and rpm: `onward` on the PATH, and Chromium's sandbox where the system has no user namespaces.
ln -sf '/opt/${sanitizedProductName}/resources/bin/onward' /usr/bin/onward
if ! unshare --user true 2>/dev/null; then
  chmod 4755 '/opt/${sanitizedProductName}/chrome-sandbox' || true
fi
if command -v update-mime-database >/dev/null 2>&1; then update-mime-database /usr/share/mime || true; fi
if command -v update-desktop-database >/dev/null 2>&1; then update-desktop-database /usr/share/applications || true; fi
