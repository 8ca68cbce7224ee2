#!/usr/bin/env python3
"""What the programs are made of, as SPDX 2.3 in JSON: each library that the loader loads for them, with the version and the package it comes from.
The build runs this; the time is that of SOURCE_DATE_EPOCH, so that the same build gives the same bytes.

  sbom.py VERSION OUTPUT PROGRAM…"""
import datetime
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys


def output_of(*command):
    if shutil.which(command[0]) is None:
        return ""
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=dict(os.environ, LC_ALL="C"))
    return done.stdout if done.returncode == 0 else ""


def libraries(program):
    """{name of the library: its file}, those that a library loads as well."""
    return {name: os.path.realpath(path) for name, path in re.findall(r"^\s*(\S+) => (/\S+) \(", output_of("ldd", program), re.M)}


def package_of(path):
    """(package, version) by dpkg, also where the library lies under /usr and dpkg knows it as /lib; or nothing."""
    for known in (path, re.sub("^/usr/lib/", "/lib/", path), re.sub("^/lib/", "/usr/lib/", path)):
        found = output_of("dpkg-query", "-S", known)
        if found:
            package = found.split(": ")[0].split(", ")[0]
            return package.split(":")[0], output_of("dpkg-query", "-W", "-f", "${Version}", package)
    return None


def identifier(text):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", text)


def describe(version, programs):
    found = {}          # package: (version, libraries)
    for program in programs:
        for name, path in libraries(program).items():
            package, number = package_of(path) or (name.split(".so")[0], (name.split(".so.") + [""])[1])
            found.setdefault(package, (number, set()))[1].add(name)
    packages = [{
        "SPDXID": identifier("minterm"), "name": "minterm", "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
        "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION",
        "primaryPackagePurpose": "APPLICATION"}]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": identifier("minterm")}]
    for package, (number, names) in sorted(found.items()):
        entry = {"SPDXID": identifier("library-" + package), "name": package, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
                 "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION",
                 "comment": "Loaded as " + ", ".join(sorted(names)), "primaryPackagePurpose": "LIBRARY"}
        if number:
            entry["versionInfo"] = number
        packages.append(entry)
        relations.append({"spdxElementId": identifier("minterm"), "relationshipType": "DYNAMIC_LINK",
                          "relatedSpdxElement": entry["SPDXID"]})
    moment = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
    content = hashlib.sha256(json.dumps([packages, relations], sort_keys=True).encode()).hexdigest()
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "minterm-" + version,
            "documentNamespace": "urn:sha256:" + content,
            "creationInfo": {"created": moment.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: minterm-sbom"]},
            "packages": packages, "relationships": relations}


def main():
    version, path, *programs = sys.argv[1:]
    # Without ldd, or for another machine, it lists the program alone, and the build goes on.
    with open(path, "w") as f:
        json.dump(describe(version, programs), f, indent=2, sort_keys=True)
        f.write("\n")


main()
